import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import { type Audience, firstMismatch, listsOf, type When } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';

// The keys of one batch.
const AT_ONCE = 100;
const MOST_BATCHES = 8;

export type Filter = { audience: Audience; whenOf: (metadata: Metadata) => When };
export type Matched = Pick<Membership, 'email' | 'status'> & { hash: string; isMatch: boolean };

/** The memberships of some people in a list, and whether each matches. Those of other lists are read if rules name these. */
export async function matched(
  table: Table,
  of: { id: string; organization_id: number },
  hashes: string[],
  { audience, whenOf }: Filter,
): Promise<Matched[]> {
  const named = [...new Set(listsOf(audience))].filter(id => id !== of.id);
  const found = await inParallel(chunksOf(hashes, AT_ONCE), MOST_BATCHES, async chunk => {
    const keys = chunk.map(hash => ({ organization: of.organization_id, hash }));
    const read = (list: string) => recipientStore.memberships(table, keys, list, { consistent: false });
    const members = await read(of.id);
    const others = new Map<string, Set<string>>();
    for (const id of named) others.set(id, new Set((await read(id)).map(({ PK }) => PK)));
    return members.map(member => {
      const lists = { has: (id: string) => id === of.id || others.get(id)?.has(member.PK) === true };
      const isMatch = !firstMismatch(audience, { ...member, lists }, whenOf(member.metadata));
      const { email, status } = member;
      // Not their metadata, which may be 16 KB each.
      return { email, status, hash: hashOf(email), isMatch };
    });
  });
  return found.flat();
}
