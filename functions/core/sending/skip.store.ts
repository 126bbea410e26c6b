import { newRevision } from '#core/id.ts';
import { HASH_BYTES } from '#core/recipient/recipient.key.ts';
import { deletePage, get, type Item, query, type Table } from '#core/storage/table.store.ts';
import { optimistically, putItem, unchanged } from '#core/storage/write.store.ts';
import type { Skipped } from '#shared/send-status.ts';

/** `source` is an index into the sources of the pack. */
export type Skip = { hash: string; source: number; reason: Skipped };

type PackOfSkips = {
  organization: number;
  minute: string;
  id: string;
  sources: { list: string; automation: string }[];
};

/** Skips have a partition of their own, so that reading the sent emails does not read them. */
export const skipsPartition = (organization: number) => `ORG#${organization}#SKIPS`;
const skipsKey = ({ organization, minute, id }: PackOfSkips) => ({
  PK: skipsPartition(organization),
  SK: `${minute}#${id}`,
});

const SKIP_BYTES = HASH_BYTES + 3;

/** All skips of a pack are one item. The first reason stored for a person stays. */
export async function addSkips(table: Table, pack: PackOfSkips, skips: Skip[]): Promise<void> {
  if (skips.length === 0) return;
  const key = skipsKey(pack);
  await optimistically<Item | undefined, true>({
    // Nearly always the pack has no skips yet, so the first write expects none.
    known: undefined,
    read: () => get(table, key),
    write: async before => {
      const stored = before ? skipsIn(before) : [];
      const known = new Set(stored.map(skipId));
      const all = [...stored, ...skips.filter(skip => !known.has(skipId(skip)))];
      if (all.length === stored.length) return true;
      const item = { ...key, ...packed(all), sources: pack.sources, revision: newRevision() };
      return (await putItem(table, item, unchanged(before, ['revision']))) || undefined;
    },
    conflict: 'Other skips of this pack are being stored',
  });
}

export const skipId = ({ hash, source }: Pick<Skip, 'hash' | 'source'>) => `${hash}#${source}`;

function packed(skips: Skip[]): { skips: Uint8Array; reasons: Skipped[] } {
  const reasons = [...new Set(skips.map(({ reason }) => reason))];
  const bytes = Buffer.alloc(skips.length * SKIP_BYTES);
  for (const [index, { hash, source, reason }] of skips.entries()) {
    const at = index * SKIP_BYTES;
    Buffer.from(hash, 'base64url').copy(bytes, at);
    bytes.writeUInt16BE(source, at + HASH_BYTES);
    bytes.writeUInt8(reasons.indexOf(reason), at + HASH_BYTES + 2);
  }
  return { skips: bytes, reasons };
}

function skipsIn({ skips, reasons }: Item): Skip[] {
  const bytes = Buffer.from(skips as Uint8Array);
  return Array.from({ length: bytes.length / SKIP_BYTES }, (_, index) => {
    const at = index * SKIP_BYTES;
    return {
      hash: bytes.subarray(at, at + HASH_BYTES).toString('base64url'),
      source: bytes.readUInt16BE(at + HASH_BYTES),
      reason: (reasons as Skipped[])[bytes.readUInt8(at + HASH_BYTES + 2)] ?? 'dead',
    };
  });
}

export async function readSkips(table: Table, pack: PackOfSkips): Promise<Skip[]> {
  const item = await get(table, skipsKey(pack));
  return item ? skipsIn(item) : [];
}

// Each item has the skips of a pack of up to a thousand people.
const MOST_PACKS = 500;

/** Of one minute, or of those from it until another one. */
export async function readSkipsOf(
  table: Table,
  organization: number,
  minutes: { from: string; until?: string },
  hash: string,
): Promise<SkippedSend[]> {
  const { from, until = from } = minutes;
  const items = await query(
    table,
    {
      KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :until',
      ExpressionAttributeValues: {
        ':pk': skipsPartition(organization),
        ':from': `${from}#`,
        ':until': `${until}#~`,
      },
      ConsistentRead: true,
    },
    { most: MOST_PACKS },
  );
  return items.flatMap(skippedSendsIn).filter(skip => skip.hash === hash);
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, skipsPartition(organization), '');

export type SkippedSend = {
  minute: string;
  pack: string;
  hash: string;
  list: string;
  automation: string;
  reason: Skipped;
};

export function skippedSendsIn(item: Item): SkippedSend[] {
  const [minute = '', pack = ''] = String(item.SK).split('#');
  const sources = item.sources as PackOfSkips['sources'];
  return skipsIn(item).map(({ hash, source, reason }) => ({
    minute,
    pack,
    hash,
    reason,
    list: sources[source]?.list ?? '',
    automation: sources[source]?.automation ?? '',
  }));
}
