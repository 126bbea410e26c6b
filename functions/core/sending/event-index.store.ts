import type { Claim } from '#core/recipient/journal.ts';
import { type ClaimKey, claimId, readClaimId } from '#core/recipient/recipient.key.ts';
import { deletePage, type Item, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import type { Happened } from '#shared/send-status.ts';
import { parseBatchId } from './batch/batch.store.ts';

/** Opens are too frequent: an entry in the log would make an open half as expensive again. */
export const INDEXED_EVENTS = [
  'clicked',
  'unsub_clicked',
  'unsubscribed',
  'bounced',
  'complained',
] as const satisfies Happened[];
export type IndexedEvent = (typeof INDEXED_EVENTS)[number];

export type IndexedEmail = {
  /** It counts on the day of its claim. */
  at: string;
  hash: string;
  seq: number;
  list: string;
  automation: string;
  combination: string;
};

export const eventPartition = (organization: number, event: IndexedEvent) =>
  `ORG#${organization}#LOG#${event}`;

/** It has everything that the log is filtered by, so that claims need not be read for it. */
export const indexKey = (
  organization: number,
  event: IndexedEvent,
  { at, hash, seq, batch, combination }: ClaimKey & Pick<Claim, 'at' | 'batch' | 'combination'>,
): Key => {
  const { list, automation } = parseBatchId(batch);
  const SK = [at, claimId({ hash, seq }), `${list}.${automation}`, combination].join('#');
  return { PK: eventPartition(organization, event), SK };
};

export const isIndexKey = ({ PK }: Key) => INDEXED_EVENTS.some(event => PK.endsWith(`#LOG#${event}`));
export const combinationIn = ({ SK }: Key) => SK.slice(SK.lastIndexOf('#') + 1);

/** Undefined if its count was corrected to 0. */
export function indexedEmailIn({ SK, emails }: Item): IndexedEmail | undefined {
  const [at = '', id = '', group = '', combination = ''] = String(SK).split('#');
  const [list = '', automation = ''] = group.split('.');
  const claim = readClaimId(id);
  return claim && Number(emails) > 0 ? { at, ...claim, list, automation, combination } : undefined;
}

/** `month`: `yyyy-mm`. */
export async function readMonth(table: Table, organization: number, month: string): Promise<Item[]> {
  const entries = await Promise.all(
    INDEXED_EVENTS.map(event => queryPartition(table, eventPartition(organization, event), month)),
  );
  return entries.flat();
}

/** Returns true if there may be more. */
export async function purgeSome(table: Table, organization: number): Promise<boolean> {
  for (const event of INDEXED_EVENTS)
    if (await deletePage(table, eventPartition(organization, event), '')) return true;
  return false;
}
