import { randomUUID } from 'node:crypto';
import { Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { hasLink } from '#shared/text.ts';
import type { User } from '#shared/user.ts';
import * as store from './user.store.ts';

export const shown = (user: store.StoredUser): User => ({
  id: user.id,
  name: user.name,
  email: user.email,
  terms_accepted: user.terms_accepted_at !== undefined,
});

/** A user who is not stored yet, with a name made of their address. Their first organization is created with them. */
export const newUser = (email: string, now: Date) => ({
  id: randomUUID(),
  name: nameFrom(email.slice(0, email.lastIndexOf('@'))),
  email,
  created_at: now.toISOString(),
  organizations_owned: 1,
});

// An address may begin with `www.`, and the name is in invitation mails, where it must not become a link.
const nameFrom = (local: string) => (hasLink(local) ? local.replaceAll('.', ' ') : local);

export async function find({ table }: { table: Table }, id: string): Promise<store.StoredUser> {
  return orNotFound(await store.read(table, id));
}

/** The user, if their profile is among the items. */
export const foundIn = (items: Item[], id: string) => store.foundIn(items, id);

/** Throws an error if the user has not accepted the terms: before that they may only read their own account. */
export function requireTerms(user: store.StoredUser | undefined): void {
  if (user?.terms_accepted_at !== undefined) return;
  throw new Refusal('forbidden', 'Please accept the terms and conditions and the privacy policy first.');
}

/** The users with these ids that exist. */
export const findAll = ({ table }: { table: Table }, ids: string[]) => store.readAll(table, ids);

export async function acceptTerms({ table, now }: { table: Table; now: Date }, id: string): Promise<User> {
  return shown(orNotFound(await store.acceptTerms(table, id, now.toISOString())));
}

function orNotFound(user: store.StoredUser | undefined): store.StoredUser {
  if (!user) throw new Refusal('not-found', 'This user does not exist any more.');
  return user;
}
