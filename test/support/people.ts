import { randomUUID } from 'node:crypto';
import type { Letter } from '#core/mail.ts';
import * as organization from '#core/organization/organization.ts';
import * as quota from '#core/organization/quota.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import type { Role } from '#shared/permissions.ts';

export function postbox() {
  const mails: { to: string; letter: Letter }[] = [];
  return { mails, mailer: { send: async (to: string, letter: Letter) => void mails.push({ to, letter }) } };
}

let people = 0;

export async function newUser(table: Table, now: Date, name = 'person') {
  const { account, writes } = await organization.prepareAccount(
    { table, now },
    `${name}${++people}@example.com`,
  );
  await commit(table, writes);
  return { id: account.id, email: account.email, organizationId: account.default_organization_id };
}

export async function newMember(table: Table, now: Date, organizationId: number, role: Role = 'USER') {
  const user = await newUser(table, now);
  const membership = { organization_id: organizationId, user_id: user.id, role, is_default: false };
  await commit(table, quota.joiningWrites(table, membership, now.toISOString()));
  return user;
}

export async function addMembers(table: Table, organizationId: number, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const puts = ids.flatMap(user_id => [
    { PK: `ORG#${organizationId}`, SK: `MEMBER#${user_id}`, user_id, role: 'USER', since: '' },
    { PK: `USER#${user_id}`, SK: 'PROFILE', id: user_id, name: user_id, email: `${user_id}@example.com` },
  ]);
  await batchWrite(table, { puts });
  return ids;
}

export async function newOwner(table: Table, now: Date) {
  const { id, organizationId } = await newUser(table, now);
  return actingIn(table, id, organizationId);
}

export async function actingIn(table: Table, userId: string, id: number) {
  const active = await organization.activeFor({ table }, userId, id);
  if (!active) throw new Error('This person is no member');
  return active;
}
