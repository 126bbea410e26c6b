import type { Organization } from '../../../shared/organization.ts';
import type { Table, Write } from '../table.store.ts';
import * as store from './organization.store.ts';

export type { Membership } from './organization.store.ts';

/** The writes that give a newcomer an organization of their own. */
export async function founding(
  { table, now }: { table: Table; now: Date },
  owner: { id: string; name: string },
): Promise<Write[]> {
  const organization = {
    id: await store.nextId(table),
    name: `${owner.name}'s organization`,
    active: true,
    created_at: now.toISOString(),
  };
  return store.founding(table, organization, owner.id, true);
}

export const membership = ({ table }: { table: Table }, user: string, organization: number) =>
  store.membership(table, user, organization);

/** The organizations of a user, their default first, then in the order they were founded. */
export async function listOf({ table }: { table: Table }, user: string): Promise<Organization[]> {
  const memberships = await store.memberships(table, user);
  const organizations = await store.readAll(
    table,
    memberships.map(({ organization_id }) => organization_id),
  );
  const named = new Map(organizations.map(organization => [organization.id, organization]));
  return memberships
    .flatMap(({ organization_id, role, is_default }) => {
      const found = named.get(organization_id);
      return found
        ? [{ id: found.id, name: found.name, logo: null, active: found.active, is_default, role }]
        : [];
    })
    .sort((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id);
}
