import type { Claim } from '#core/recipient/journal.ts';
import { claimId, readClaimId } from '#core/recipient/recipient.key.ts';
import { deletePage, type Item, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import type { Happened } from '#shared/send-status.ts';
import { parseBatchId } from './batch/batch.store.ts';

/**
 * Marks that are rare enough for an entry in the log for each email. Opens are not: an entry would make an open half as
 * expensive again.
 */
export const LISTED_MARKS = [
  'clicked',
  'unsub_clicked',
  'unsubscribed',
  'bounced',
  'complained',
] as const satisfies Happened[];
export type ListedMark = (typeof LISTED_MARKS)[number];

/** An email with a mark, as its entry in the log names it. */
export type MarkedEmail = {
  /** The instant of its claim: on this day it counts. */
  at: string;
  hash: string;
  seq: number;
  list: string;
  automation: string;
  combination: string;
};

export const markedPartition = (organization: number, mark: ListedMark) => `ORG#${organization}#LOG#${mark}`;

type Of = Pick<Claim, 'at' | 'batch' | 'combination'> & { hash: string; seq: number };

/** The key has everything that the log is filtered by, so that claims need not be read for it. */
export const markedKey = (
  organization: number,
  mark: ListedMark,
  { at, hash, seq, batch, combination }: Of,
): Key => {
  const { list, automation } = parseBatchId(batch);
  const SK = [at, claimId({ hash, seq }), `${list}.${automation}`, combination].join('#');
  return { PK: markedPartition(organization, mark), SK };
};

export const isMarkedKey = ({ PK }: Key) => LISTED_MARKS.some(mark => PK.endsWith(`#LOG#${mark}`));
export const combinationIn = ({ SK }: Key) => SK.slice(SK.lastIndexOf('#') + 1);

/** Undefined if its count was corrected to 0. */
export function markedIn({ SK, emails }: Item): MarkedEmail | undefined {
  const [at = '', id = '', group = '', combination = ''] = String(SK).split('#');
  const [list = '', automation = ''] = group.split('.');
  const claim = readClaimId(id);
  return claim && Number(emails) > 0 ? { at, ...claim, list, automation, combination } : undefined;
}

/** The entries of the emails that count in a month, `yyyy-mm`. */
export async function readMonth(table: Table, organization: number, month: string): Promise<Item[]> {
  const found = await Promise.all(
    LISTED_MARKS.map(mark => queryPartition(table, markedPartition(organization, mark), month)),
  );
  return found.flat();
}

/** Deletes a page of the entries of a deleted organization. Returns true if there may be more. */
export async function purgeSome(table: Table, organization: number): Promise<boolean> {
  for (const mark of LISTED_MARKS) {
    if (await deletePage(table, markedPartition(organization, mark), '')) return true;
  }
  return false;
}
