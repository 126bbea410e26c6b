import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import { type Audience, type AudienceMember, firstMismatch, listsOf, type When } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';

// The keys of one batch.
const AT_ONCE = 100;
const MOST_BATCHES = 8;

export type Filter = { audience: Audience; whenOf: (metadata: Metadata) => When };
export type Matched = Pick<Membership, 'email' | 'status'> & { hash: string; isMatch: boolean };

type List = { id: string; organization_id: number };

/** The memberships of some people in a list, and whether each matches. */
export const matched = (
  table: Table,
  of: List,
  hashes: string[],
  { audience, whenOf }: Filter,
): Promise<Matched[]> =>
  membersOf(table, of, hashes, audience, member => {
    const { email, status } = member;
    const isMatch = !firstMismatch(audience, member, whenOf(member.metadata));
    return { email, status, hash: hashOf(email), isMatch };
  });

/**
 * The memberships of some people in a list; those of other lists are read if rules name these. `pick` takes what is needed: the
 * metadata of a member may be 16 KB.
 */
export async function membersOf<T>(
  table: Table,
  of: List,
  hashes: string[],
  audience: Audience | null | undefined,
  pick: (member: Membership & AudienceMember) => T,
): Promise<T[]> {
  const named = audience ? [...new Set(listsOf(audience))].filter(id => id !== of.id) : [];
  const found = await inParallel(chunksOf(hashes, AT_ONCE), MOST_BATCHES, async chunk => {
    const keys = chunk.map(hash => ({ organization: of.organization_id, hash }));
    const read = (list: string) => recipientStore.memberships(table, keys, list, { consistent: false });
    const members = await read(of.id);
    const others = new Map<string, Set<string>>();
    for (const id of named) others.set(id, new Set((await read(id)).map(({ PK }) => PK)));
    return members.map(member => {
      const has = (id: string) => id === of.id || others.get(id)?.has(member.PK) === true;
      return pick({ ...member, lists: { has } });
    });
  });
  return found.flat();
}
