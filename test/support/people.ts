import type { Letter } from '../../functions/core/letter.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { commit, type Table } from '../../functions/core/table.store.ts';
import * as user from '../../functions/core/user/user.ts';

/** A mailer that keeps what it is given. */
export function postbox() {
  const mails: { to: string; letter: Letter }[] = [];
  return { mails, mailer: { send: async (to: string, letter: Letter) => void mails.push({ to, letter }) } };
}

let people = 0;

/** Somebody with an account and an organization of their own. */
export async function newUser(table: Table, now: Date) {
  const account = user.newcomer(`person${++people}@example.com`, now);
  const founding = await organization.founding(
    { table, now },
    account.id,
    `${account.name}'s organization`,
    true,
  );
  await commit(table, [...user.creation(table, account), ...founding.writes]);
  return { id: account.id, email: account.email, organizationId: founding.organization.id };
}

/** The organization as this person acts in it now. */
export async function actingIn(table: Table, userId: string, id: number) {
  const active = await organization.activeFor({ table }, userId, id);
  if (!active) throw new Error('This person is no member');
  return active;
}
