import { type ClaimKey, claimId, HASH_BYTES, readClaimId } from '#core/recipient/recipient.key.ts';
import {
  deletePage,
  fromItem,
  get,
  getAll,
  getStored,
  type Item,
  query,
  queryPartition,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  additionWrite,
  commit,
  conditionsHeld,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { ProviderName } from '#shared/providers.ts';
import type { Skipped } from '#shared/send-status.ts';

/** The sends of a pack that have the same list and automation. */
export type Head = {
  type: 'batch';
  batch: string;
  state: State;
  at: string;
  list_id: string;
  automation_id: string;
  size: number;
  provider?: ProviderName;
  /** That of its claims. */
  resumes?: number;
  /** Names and settings at the time of sending, to show its emails as they were sent. */
  shown_as?: ShownAs;
  provider_ids?: string[];
  /** How many were sent, by UTC day and `sentName`: the projector adds them to the reports. */
  counts?: SentCounts;
  /** Set on a released batch whose emails are skipped. Without a reason, they are retried after `retry_after` seconds. */
  reason?: Skipped;
  retry_after?: number;
  /** The people of its released sends are queued again or skipped, and their claims are released. */
  requeued?: true;
};

export type ShownAs = {
  list_name: string;
  automation_name: string;
  sender_name: string;
  sender_address: string;
  unsubscribe_text: string;
  /** The version of the look; with it the name and the logo that recipients saw. */
  look?: string;
  public_name?: string;
  logo?: string;
};
export type SentCounts = Record<string, Record<string, number>>;

/** A mixed batch has an item for each of these outcomes, which names its claims. The other claims were sent. */
const PARTS = { failed: 'F', unknown: 'U', released: 'R' } as const;
export type Part = keyof typeof PARTS;
type Parts = Partial<Record<Part, Set<string>>>;

export type Batch = { head: Head; sends: Send[]; parts: Parts; rejected?: Set<string> };

type State = 'posting' | 'sent' | 'failed' | 'unknown' | 'released' | 'mixed';

/** All states but `posting` are final. What becomes known of an email later is stored in its claim. */
const TRANSITIONS = {
  /** A process inserts it, and is the only one that posts it. */
  begun: { from: 'absent', to: 'posting' },
  /** A process inserts it, so that nobody posts it. */
  'given up': { from: 'absent', to: 'released' },
  // The provider's answer: one for all emails, or `answered differently`.
  accepted: { from: 'posting', to: 'sent' },
  refused: { from: 'posting', to: 'failed' },
  unknown: { from: 'posting', to: 'unknown' },
  not_sent: { from: 'posting', to: 'released' },
  'answered differently': { from: 'posting', to: 'mixed' },
  /** The process that was posting it did not end it in time. */
  orphaned: { from: 'posting', to: 'unknown' },
} as const satisfies Record<string, { from: State | 'absent'; to: State }>;
export type BatchEvent = keyof typeof TRANSITIONS;

type Group = { minute: string; pack: string; list: string; automation: string };

/** `<minute>#<pack>#<list>.<automation>`: batches sort by due minute. */
export const batchId = ({ minute, pack, list, automation }: Group) =>
  `${minute}#${pack}#${list}.${automation}`;

export function parseBatchId(batch: string): Group {
  const [minute = '', pack = '', group = ''] = batch.split('#');
  const [list = '', automation = ''] = group.split('.');
  return { minute, pack, list, automation };
}

export const batchPrefix = ({ minute, id }: { minute: string; id: string }) => `${minute}#${id}#`;

export const logPartition = (organization: number) => `ORG#${organization}#LOG`;
const headKey = (organization: number, batch: string) => ({ PK: logPartition(organization), SK: batch });
const manifestKey = (organization: number, batch: string) => headKey(organization, `${batch}#M`);
const partKey = (organization: number, batch: string, part: Part) =>
  headKey(organization, `${batch}#${PARTS[part]}`);

export const batchesIndex = (organization: number, listOrAutomation: string) =>
  `LOG#${organization}#${listOrAutomation}`;

/** The log has a partition for each of these statuses, with a small item for each batch that has such emails. */
const LISTED_STATUSES = ['failed', 'unknown'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];
export const statusPartition = (organization: number, status: ListedStatus) =>
  `ORG#${organization}#LOG#${status}`;
export const listedKey = (organization: number, batch: string, status: ListedStatus) => ({
  PK: statusPartition(organization, status),
  SK: batch,
});

// The item of those that failed names what the provider took and rejected later, as the batch itself does not change any more.
export const rejectedField = (claim: ClaimKey) => `r${claimId(claim)}`;
export const rejectedIn = (item: Item): Set<string> =>
  new Set(Object.keys(item).flatMap(name => (readClaimId(name.slice(1)) ? [name.slice(1)] : [])));

/** The process that inserts a batch with its manifest decides what becomes of its claims. Returns false for another one. */
export const insert = (
  table: Table,
  organization: number,
  event: 'begun' | 'given up',
  head: Omit<Head, 'type' | 'state'>,
  sends: Send[],
): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      putWrite(
        table,
        {
          ...headKey(organization, head.batch),
          GSI1PK: batchesIndex(organization, head.automation_id),
          GSI1SK: head.batch,
          ...head,
          type: 'batch' satisfies Head['type'],
          state: TRANSITIONS[event].to,
        },
        ABSENT,
      ),
      putWrite(
        table,
        {
          ...manifestKey(organization, head.batch),
          GSI1PK: batchesIndex(organization, head.list_id),
          GSI1SK: head.batch,
          ...manifestOf(sends),
        },
        ABSENT,
      ),
    ]),
  );

export type Ending = Pick<Head, 'provider_ids' | 'counts' | 'retry_after'>;
type End = { event: BatchEvent; ending?: Ending; parts?: Partial<Record<Part, ClaimKey[]>> };

/** If emails failed, are unknown or ended differently, the same transaction puts the items that say so. */
export async function end(
  table: Table,
  organization: number,
  { batch, size }: Pick<Head, 'batch' | 'size'>,
  { event, ending = {}, parts = {} }: End,
): Promise<boolean> {
  const { from, to } = TRANSITIONS[event];
  const key = headKey(organization, batch);
  const only = unchanged({ state: from }, ['state']);
  const fields = { set: { ...ending, state: to } };
  const partWrites = (Object.entries(parts) as [Part, ClaimKey[]][])
    .filter(([, claims]) => claims.length > 0)
    .map(([part, claims]) =>
      putWrite(table, { ...partKey(organization, batch, part), sends: packedClaims(claims) }),
    );
  const listed = LISTED_STATUSES.flatMap((status): Write[] => {
    const count = to === status ? size : to === 'mixed' ? (parts[status]?.length ?? 0) : 0;
    // What the provider has rejected already is there.
    return count > 0 ? [additionWrite(table, listedKey(organization, batch, status), { size: count })] : [];
  });
  if (listed.length === 0 && partWrites.length === 0) {
    if (await updateItem(table, key, fields, only)) return true;
    // The condition also fails if the SDK repeats a request whose answer was lost. The state is then the one that it stored.
    return (await readHead(table, organization, batch))?.state === to;
  }
  return conditionsHeld(commit(table, [updateWrite(table, key, fields, only), ...partWrites, ...listed]));
}

export const markRequeued = (table: Table, organization: number, batch: string) =>
  updateItem(table, headKey(organization, batch), { set: { requeued: true } }, PRESENT);

export const readBatches = async (table: Table, organization: number, prefix: string): Promise<Batch[]> =>
  batchesIn(await queryPartition(table, logPartition(organization), prefix));

export const readBatch = async (table: Table, organization: number, batch: string) =>
  (await readBatches(table, organization, batch)).find(({ head }) => head.batch === batch);

export const readHead = async (table: Table, organization: number, batch: string) =>
  storedOf<Head>(await get(table, headKey(organization, batch)));

export async function readTheseBatches(table: Table, organization: number, ids: string[]): Promise<Batch[]> {
  const keys = ids.flatMap(batch => [headKey(organization, batch), manifestKey(organization, batch)]);
  const found = batchesIn(await getAll(table, keys));
  const mixed = found.filter(({ head }) => head.state === 'mixed').map(({ head }) => head.batch);
  const parts = await readTheseParts(table, organization, mixed);
  return found.map(batch => ({ ...batch, parts: parts.get(batch.head.batch) ?? {} }));
}

export const readTheseHeads = (table: Table, organization: number, batches: string[]): Promise<Head[]> =>
  getStored(
    table,
    batches.map(batch => headKey(organization, batch)),
  );

export async function readTheseParts(
  table: Table,
  organization: number,
  batches: string[],
): Promise<Map<string, Parts>> {
  const names = Object.keys(PARTS) as Part[];
  const keys = batches.flatMap(batch => names.map(part => partKey(organization, batch, part)));
  const byBatch = Map.groupBy(await getAll(table, keys), ({ SK }) => String(SK).slice(0, -2));
  return new Map([...byBatch].map(([batch, items]) => [batch, partsIn(batch, items)]));
}

/** In the newest `mostBatches` batches that have any. */
export async function countUnknown(
  table: Table,
  organization: number,
  since: string,
  mostBatches: number,
): Promise<number> {
  const batches = await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK >= :since',
      ExpressionAttributeValues: { ':pk': statusPartition(organization, 'unknown'), ':since': since },
      ScanIndexForward: false,
      ConsistentRead: false,
    },
    { most: mostBatches },
  );
  return batches.reduce((sum, { size, settled = 0 }) => sum + Math.max(0, Number(size) - Number(settled)), 0);
}

const CODES = new Map(Object.entries(PARTS).map(([part, code]) => [code as string, part as Part]));

/** A batch whose head or manifest is not among the items is left out. */
export function batchesIn(items: Item[]): Batch[] {
  const byBatch = Map.groupBy(items, ({ SK }) => String(SK).replace(/#[A-Z]$/, ''));
  return [...byBatch].flatMap(([batch, parts]) => {
    const head = parts.find(({ SK }) => SK === batch);
    const manifest = parts.find(({ SK }) => SK === `${batch}#M`);
    if (!head || !manifest) return [];
    return [{ head: fromItem<Head>(head), sends: sendsIn(manifest), parts: partsIn(batch, parts) }];
  });
}

const partsIn = (batch: string, items: Item[]): Parts =>
  Object.fromEntries(
    items.flatMap((item): [Part, Set<string>][] => {
      const part = CODES.get(String(item.SK).slice(batch.length + 1));
      return part ? [[part, claimIdsIn(item)]] : [];
    }),
  );

export type Send = ClaimKey & { combination: string };

const CLAIM_BYTES = HASH_BYTES + 4;
const SEND_BYTES = CLAIM_BYTES + 2;

function packedClaims(claims: ClaimKey[]): Uint8Array {
  const bytes = Buffer.alloc(claims.length * CLAIM_BYTES);
  for (const [index, claim] of claims.entries()) writeClaimKey(bytes, index * CLAIM_BYTES, claim);
  return bytes;
}

/** A manifest never changes: a claim in it is posted by this batch or not at all. */
function manifestOf(sends: Send[]): Item {
  const combinations = [...new Set(sends.map(({ combination }) => combination))];
  const places = new Map(combinations.map((id, index) => [id, index]));
  const bytes = Buffer.alloc(sends.length * SEND_BYTES);
  for (const [index, send] of sends.entries()) {
    writeClaimKey(bytes, index * SEND_BYTES, send);
    bytes.writeUInt16BE(places.get(send.combination) ?? 0, index * SEND_BYTES + CLAIM_BYTES);
  }
  return { combinations, sends: bytes };
}

function sendsIn(manifest: Item): Send[] {
  const bytes = Buffer.from(manifest.sends as Uint8Array);
  const combinations = manifest.combinations as string[];
  return Array.from({ length: bytes.length / SEND_BYTES }, (_, index) => {
    const at = index * SEND_BYTES;
    const combination = combinations[bytes.readUInt16BE(at + CLAIM_BYTES)] ?? '';
    return { ...readClaimKey(bytes, at), combination };
  });
}

function claimIdsIn(part: Item): Set<string> {
  const bytes = Buffer.from(part.sends as Uint8Array);
  const claims = Array.from({ length: bytes.length / CLAIM_BYTES }, (_, index) =>
    readClaimKey(bytes, index * CLAIM_BYTES),
  );
  return new Set(claims.map(claimId));
}

function writeClaimKey(bytes: Buffer, at: number, { hash, seq }: ClaimKey): void {
  Buffer.from(hash, 'base64url').copy(bytes, at);
  bytes.writeUInt32BE(seq, at + HASH_BYTES);
}

const readClaimKey = (bytes: Buffer, at: number): ClaimKey => ({
  hash: bytes.subarray(at, at + HASH_BYTES).toString('base64url'),
  seq: bytes.readUInt32BE(at + HASH_BYTES),
});

/** Returns true if there may be more. */
export async function purgeSome(table: Table, organization: number): Promise<boolean> {
  const listed = LISTED_STATUSES.map(status => statusPartition(organization, status));
  for (const partition of [logPartition(organization), ...listed])
    if (await deletePage(table, partition, '')) return true;
  return false;
}
