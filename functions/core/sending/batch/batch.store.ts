import type { Skipped } from '../../../../shared/send.ts';
import { type Counts, reportPartition, rollupCounters } from '../../reporting/rollup/rollup.ts';
import { optimistically } from '../../storage/optimistic.ts';
import {
  batchWrite,
  deletePage,
  fromItem,
  get,
  getStored,
  type Item,
  queryPartition,
  type Table,
} from '../../storage/table.store.ts';
import {
  ABSENT,
  commit,
  held,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '../../storage/write.store.ts';

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
  /** Of those that may have been accepted: which were, and which were not, as the provider's events say. */
  proven?: Set<string>;
  rejected?: Set<string>;
};

/** A recipient's claim. */
export type Send = { hash: string; seq: number };

export const nameOf = ({ hash, seq }: Send) => `${hash}-${seq}`;

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

export type Ending = Pick<Head, 'state'> & Partial<Omit<Head, 'sent' | 'proven' | 'rejected'>>;
/** On the UTC day of which it counts. */
export type Dated = Send & { day: string };

// The counters of a combination are those of all its batches, which may end at the same moment. What is not stored here would
// be unknown, though it was sent.
const MOST_TRIES = 12;

/**
 * Ends a batch, and counts what was sent by the day of each email, once: without what an event has proven before, which
 * is counted already. False where another process has ended it.
 */
export const end = (
  table: Table,
  organization: number,
  head: Head,
  ending: Ending,
  sent: Dated[],
): Promise<boolean> =>
  optimistically<Head | undefined, boolean>({
    known: head,
    read: () => readHead(table, organization, head.batch),
    write: async current => {
      if (current?.state !== 'posting' && current?.state !== 'unknown') return false;
      const { sent: counted, proven } = current;
      const rest = sent.filter(one => !proven?.has(nameOf(one)));
      const days = [...Map.groupBy(rest, ({ day }) => day)];
      const counts = days.map(([day, some]): [string, Counts] => [day, { sent: some.length }]);
      const fields = { ...ending, sent: counted + rest.length };
      const only = { ...NOT_ENDED, condition: `${NOT_ENDED.condition} AND sent = :counted` };
      const writes = [
        updateWrite(
          table,
          headKey(organization, head.batch),
          { set: fields },
          { ...only, values: { ...NOT_ENDED.values, ':counted': counted } },
        ),
        ...rollupWrites(table, organization, head.combination, counts),
      ];
      return (await held(commit(table, writes, MOST_TRIES))) || undefined;
    },
    conflict: 'Another process stores how this batch ended',
  });

const rollupWrites = (table: Table, organization: number, combination: string, counts: [string, Counts][]) =>
  rollupCounters({ organization, combination }, counts).map(({ key, add }) =>
    updateWrite(table, key, { add }),
  );

/** What the provider's events say of a send of which its answer left that open. */
export type Proof = 'proven' | 'rejected';

/** Notes a proof, and counts what was sent, once. It fails where the batch has another state by now, or has the proof. */
export function proofWrites(
  table: Table,
  organization: number,
  { batch, state, combination }: Head,
  { day, ...send }: Dated,
  proof: Proof,
): Write[] {
  const isSent = proof === 'proven';
  return [
    updateWrite(
      table,
      headKey(organization, batch),
      { add: { [proof]: new Set([nameOf(send)]), ...(isSent && { sent: 1 }) } },
      {
        condition: '#state = :state AND NOT contains(#proof, :send)',
        names: { '#state': 'state', '#proof': proof },
        values: { ':state': state, ':send': nameOf(send) },
      },
    ),
    ...(isSent ? rollupWrites(table, organization, combination, [[day, { sent: 1 }]]) : []),
  ];
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
export const readTheseHeads = (table: Table, organization: number, batches: string[]): Promise<Head[]> =>
  getStored(
    table,
    batches.map(batch => headKey(organization, batch)),
  );

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
