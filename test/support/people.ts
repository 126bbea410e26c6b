import type { Letter } from '../../functions/core/letter.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import type { Table } from '../../functions/core/table.store.ts';
import { commit } from '../../functions/core/write.store.ts';

/** A mailer that keeps what it is given. */
export function postbox() {
  const mails: { to: string; letter: Letter }[] = [];
  return { mails, mailer: { send: async (to: string, letter: Letter) => void mails.push({ to, letter }) } };
}

let people = 0;

/** A user with an organization of their own. */
export async function newUser(table: Table, now: Date, name = 'person') {
  const { account, writes } = await organization.prepareAccount(
    { table, now },
    `${name}${++people}@example.com`,
  );
  await commit(table, writes);
  return { id: account.id, email: account.email, organizationId: account.default_organization_id };
}

/** The organization as this person acts in it now. */
export async function actingIn(table: Table, userId: string, id: number) {
  const active = await organization.activeFor({ table }, userId, id);
  if (!active) throw new Error('This person is no member');
  return active;
}
