import {
  fromItem,
  get,
  getAll,
  type Key,
  queryPartition,
  type Reading,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  type Condition,
  commit,
  conditionsHeld,
  deleteWrite,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { needsKey, providersOf } from '#shared/providers.ts';
import type { StoredList } from './list.store.ts';

/** It blocks nobody: only the owner of a domain may send from it. */
export type Claim = {
  organization_id: number;
  domain: string;
  /** What the organization enters in the DNS of the domain, to show that it is theirs. */
  token: string;
  /** What the provider wants to find there; empty until it has answered. */
  records: { name: string; value: string }[];
  /** The names of the records that the last check has found. */
  found: string[];
  /** The provider looks for them no more. */
  has_failed?: boolean;
  created_at: string;
  checked_at?: string;
};

export type Owner = {
  domain: string;
  /** How many organizations claim the domain. It stays at the provider as long as there is one. */
  claims: number;
  organization?: number;
  verified_at?: string;
};

const claimKey = (organization: number, domain: string): Key => ({
  PK: `ORG#${organization}#DOMAINS`,
  SK: domain,
});
const ownerKey = (domain: string): Key => ({ PK: `DOMAIN#${domain}`, SK: 'OWNER' });

export type Claimed = { claim: Claim | undefined; owner: Owner | undefined };

export async function read(table: Table, organization: number, domain: string): Promise<Claimed> {
  const items = await getAll(table, [claimKey(organization, domain), ownerKey(domain)]);
  const [claim, owner] = [items.find(({ SK }) => SK === domain), items.find(({ SK }) => SK === 'OWNER')];
  return { claim: claim && fromItem<Claim>(claim), owner: owner && fromItem<Owner>(owner) };
}

export const readClaim = async (table: Table, organization: number, domain: string) =>
  storedOf<Claim>(await get(table, claimKey(organization, domain)));

export const readAll = async (table: Table, organization: number): Promise<Claim[]> =>
  (await queryPartition(table, claimKey(organization, '').PK)).map(fromItem<Claim>);

/** As the owner was read: neither changed hands nor is claimed by more or fewer. */
const asRead = (owner: Owner | undefined) => unchanged(owner, ['organization', 'verified_at', 'claims']);

/** Returns false if the organization has a claim of the domain already. */
export const create = (table: Table, claim: Claim, others: Write[]): Promise<boolean> => {
  const { organization_id, domain } = claim;
  return conditionsHeld(
    commit(table, [
      putWrite(table, { ...claimKey(organization_id, domain), ...claim }, ABSENT),
      updateWrite(table, ownerKey(domain), { set: { domain }, add: { claims: 1 } }),
      ...others,
    ]),
  );
};

const sameClaim = ({ token }: Claim): Condition => ({
  condition: '#token = :token',
  names: { '#token': 'token' },
  values: { ':token': token },
});

type Seen = Partial<Pick<Claim, 'records' | 'found' | 'has_failed' | 'checked_at'>>;

/** Stores what was seen of a claim. Returns undefined if it is deleted. */
export async function note(table: Table, claim: Claim, seen: Seen): Promise<Claim | undefined> {
  const key = claimKey(claim.organization_id, claim.domain);
  return storedOf<Claim>(await updateItem(table, key, { set: seen }, sameClaim(claim)));
}

/** The same, and whose the domain is, on condition that the owner is as it was read. Returns false if one has changed. */
export function judge(
  table: Table,
  claim: Claim,
  seen: Seen,
  before: Owner,
  { organization, verified_at }: Pick<Owner, 'organization' | 'verified_at'>,
): Promise<boolean> {
  const after = { organization, verified_at };
  const drop = (['organization', 'verified_at'] as const).filter(field => after[field] === undefined);
  return conditionsHeld(
    commit(table, [
      updateWrite(table, claimKey(claim.organization_id, claim.domain), { set: seen }, sameClaim(claim)),
      updateWrite(table, ownerKey(claim.domain), { set: after, drop }, asRead(before)),
    ]),
  );
}

/** Deletes a claim; with the last one of a domain, its owner too. Returns false if one has changed. */
export function remove(
  table: Table,
  claim: Claim,
  owner: Owner | undefined,
  others: Write[],
): Promise<boolean> {
  const { organization_id, domain } = claim;
  const drop = owner?.organization === organization_id ? ['organization', 'verified_at'] : [];
  const ofOwner: Write[] = !owner
    ? []
    : owner.claims > 1
      ? [updateWrite(table, ownerKey(domain), { add: { claims: -1 }, drop }, asRead(owner))]
      : [deleteWrite(table, ownerKey(domain), asRead(owner))];
  return conditionsHeld(
    commit(table, [
      deleteWrite(table, claimKey(organization_id, domain), sameClaim(claim)),
      ...ofOwner,
      ...others,
    ]),
  );
}

/**
 * Notes on each list whether it may send from its domain, for a provider that verifies domains: the organization of the list
 * owns it, and the provider says that it is verified. Lists without such a provider cost no read.
 */
export async function withVerified<L extends StoredList>(
  table: Table,
  lists: L[],
  reading?: Reading,
): Promise<L[]> {
  const asking = lists.filter(list => !providersOf(list).every(needsKey));
  const owners = await getAll(
    table,
    asking.map(({ domain }) => ownerKey(domain)),
    reading,
  );
  const byDomain = new Map(owners.map(item => [item.domain, fromItem<Owner>(item)]));
  return lists.map(list =>
    asking.includes(list) ? { ...list, is_verified: isVerified(list, byDomain.get(list.domain)) } : list,
  );
}

/** The same for one list. */
export const verifiedOf = async <L extends StoredList>(table: Table, list: L): Promise<L> =>
  (await withVerified(table, [list]))[0] ?? list;

export const isVerified = (
  { organization_id }: Pick<StoredList, 'organization_id'>,
  owner: Owner | undefined,
): boolean => owner?.organization === organization_id && owner.verified_at !== undefined;
