import type { Skipped } from '../../../shared/send.ts';
import { type Counts, reportPartition, rollupCounters } from '../rollup/rollup.ts';
import {
  batchWrite,
  deletePage,
  fromItem,
  get,
  getAll,
  type Item,
  queryPartition,
  type Table,
} from '../table.store.ts';
import {
  ABSENT,
  commit,
  held,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
} from '../write.store.ts';

/** How a batch ended, or that it is being posted. */
export type State = 'posting' | 'sent' | 'failed' | 'unknown' | 'released' | 'mixed';

/** The sends of a pack with the same list, automation and combination. */
export type Head = {
  /** `<minute>#<pack>#<group>` */
  batch: string;
  state: State;
  at: string;
  list_id: string;
  automation_id: string;
  combination: string;
  /** How many sends it began with, and how many of them the provider accepted. */
  size: number;
  sent: number;
  provider_ids?: string[];
  /** Why it was not sent. */
  reason?: string;
  /** Of one that was released in whole or in part: after so many seconds it is tried again. */
  retry_after?: number;
  /** Its claims are released, and queued again where that is due. */
  settled?: true;
  /** Of a mixed one: the sends that failed, may have been accepted, and were released. */
  failed?: Uint8Array;
  unknown?: Uint8Array;
  released?: Uint8Array;
};

/** A recipient's claim. */
export type Send = { hash: string; seq: number };

export const logPartition = (organization: number) => `ORG#${organization}#LOG`;
export const headKey = (organization: number, batch: string) => ({
  PK: logPartition(organization),
  SK: batch,
});
const manifestKey = (organization: number, batch: string) => ({
  PK: logPartition(organization),
  SK: `${batch}#M`,
});
const skipsKey = (organization: number, minute: string, pack: string) => ({
  PK: logPartition(organization),
  SK: `${minute}#${pack}#S`,
});

const HASH_BYTES = 16;
const SEND_BYTES = HASH_BYTES + 4;

export function packed(sends: Send[]): Uint8Array {
  const bytes = Buffer.alloc(sends.length * SEND_BYTES);
  for (const [index, { hash, seq }] of sends.entries()) {
    Buffer.from(hash, 'base64url').copy(bytes, index * SEND_BYTES);
    bytes.writeUInt32BE(seq, index * SEND_BYTES + HASH_BYTES);
  }
  return bytes;
}

export function unpacked(packed: Uint8Array): Send[] {
  const bytes = Buffer.from(packed);
  return Array.from({ length: bytes.length / SEND_BYTES }, (_, index) => ({
    hash: bytes.subarray(index * SEND_BYTES, index * SEND_BYTES + HASH_BYTES).toString('base64url'),
    seq: bytes.readUInt32BE(index * SEND_BYTES + HASH_BYTES),
  }));
}

const recentSends = (organization: number, { combination, at, batch }: Head) => ({
  GSI1PK: `COMBO#${organization}#${combination}`,
  GSI1SK: `${at}#${batch}`,
});

/**
 * Begins a batch with its manifest: whoever inserts it decides what becomes of its claims. False where another process
 * was first.
 */
export const begin = (table: Table, organization: number, head: Head, sends: Send[]): Promise<boolean> =>
  held(
    commit(table, [
      putWrite(
        table,
        { ...headKey(organization, head.batch), ...head, ...recentSends(organization, head) },
        ABSENT,
      ),
      putWrite(table, { ...manifestKey(organization, head.batch), sends: packed(sends) }, ABSENT),
    ]),
  );

const NOT_ENDED = {
  condition: '#state IN (:posting, :unknown)',
  names: { '#state': 'state' },
  values: { ':posting': 'posting', ':unknown': 'unknown' },
};

export type Ending = Pick<Head, 'state' | 'sent'> & Partial<Head>;

// The counters of a combination are those of all its batches, which may end at the same moment. What is not stored here would
// be unknown, though it was sent.
const MOST_TRIES = 12;

/** Ends a batch, and counts what was sent by the day of each email, once. False where another process has ended it. */
export async function end(
  table: Table,
  organization: number,
  head: Head,
  ending: Ending,
  sentByDay: Map<string, number>,
): Promise<boolean> {
  const sent = [...sentByDay].map(([day, sent]): [string, Counts] => [day, { sent }]);
  const writes = [
    updateWrite(table, headKey(organization, head.batch), { set: ending }, NOT_ENDED),
    ...rollupCounters({ organization, combination: head.combination }, sent).map(({ key, add }) =>
      updateWrite(table, key, { add }),
    ),
  ];
  return held(commit(table, writes, MOST_TRIES));
}

/** Whoever was posting it died: nobody knows. False where it has ended. */
export const markUnknown = async (table: Table, organization: number, batch: string): Promise<boolean> =>
  (await updateItem(
    table,
    headKey(organization, batch),
    { set: { state: 'unknown' } },
    unchanged({ state: 'posting' }, ['state']),
  )) !== undefined;

export const markSettled = (table: Table, organization: number, batch: string) =>
  updateItem(table, headKey(organization, batch), { set: { settled: true } }, PRESENT);

/** The batches of a pack. */
export async function readHeads(
  table: Table,
  organization: number,
  minute: string,
  pack: string,
): Promise<Head[]> {
  const items = await queryPartition(table, logPartition(organization), `${minute}#${pack}#`);
  return items.filter(isHead).map(fromItem<Head>);
}

const isHead = ({ SK }: Item) => !/#[MS]$/.test(String(SK));

export async function readManifest(table: Table, organization: number, batch: string): Promise<Send[]> {
  return sendsIn(await get(table, manifestKey(organization, batch)));
}

export const sendsIn = (manifest: Item | undefined): Send[] =>
  manifest ? unpacked(manifest.sends as Uint8Array) : [];

export async function readHead(table: Table, organization: number, batch: string): Promise<Head | undefined> {
  const item = await get(table, headKey(organization, batch));
  return item && fromItem<Head>(item);
}

/** The heads of some batches, in no particular order. */
export const readTheseHeads = async (
  table: Table,
  organization: number,
  batches: string[],
): Promise<Head[]> =>
  (
    await getAll(
      table,
      batches.map(batch => headKey(organization, batch)),
    )
  ).map(fromItem<Head>);

const SKIP_BYTES = HASH_BYTES + 3;

/** All skips of a pack in one item, by the places of their sources and reasons. Another attempt writes them anew. */
export async function writeSkips(
  table: Table,
  organization: number,
  { minute, id, sources }: { minute: string; id: string; sources: object[] },
  skips: { hash: string; source: number; reason: string }[],
): Promise<void> {
  const reasons = [...new Set(skips.map(({ reason }) => reason))];
  const bytes = Buffer.alloc(skips.length * SKIP_BYTES);
  for (const [index, { hash, source, reason }] of skips.entries()) {
    Buffer.from(hash, 'base64url').copy(bytes, index * SKIP_BYTES);
    bytes.writeUInt16BE(source, index * SKIP_BYTES + HASH_BYTES);
    bytes.writeUInt8(reasons.indexOf(reason), index * SKIP_BYTES + HASH_BYTES + 2);
  }
  const item = { ...skipsKey(organization, minute, id), skips: bytes, sources, reasons };
  await batchWrite(table, { puts: [item] });
}

export type SkippedSend = { hash: string; list: string; automation: string; reason: Skipped };

export function readSkips({ skips, sources, reasons }: Item): SkippedSend[] {
  const bytes = Buffer.from(skips as Uint8Array);
  return Array.from({ length: bytes.length / SKIP_BYTES }, (_, index) => {
    const at = index * SKIP_BYTES;
    const source = (sources as { list: string; automation: string }[])[bytes.readUInt16BE(at + HASH_BYTES)];
    return {
      hash: bytes.subarray(at, at + HASH_BYTES).toString('base64url'),
      list: source?.list ?? '',
      automation: source?.automation ?? '',
      reason: (reasons as Skipped[])[bytes.readUInt8(at + HASH_BYTES + 2)] ?? 'dead',
    };
  });
}

/** Deletes some of the log and the reports of a deleted organization; true where there may be more. */
export const purgeSome = async (table: Table, organization: number): Promise<boolean> =>
  (await deletePage(table, logPartition(organization), '')) ||
  (await deletePage(table, reportPartition(organization), ''));
