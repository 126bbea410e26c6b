import * as session from '#core/account/session.ts';
import * as user from '#core/account/user.ts';
import * as organization from '#core/organization/organization.ts';
import { commit } from '#core/storage/write.store.ts';
import { newAddress } from './client.ts';
import { needsOf } from './items.ts';
import type { Stack } from './stack.ts';

/**
 * A signed-in user with an organization of their own. The name is the local part of their address. The items are written
 * directly: signing in by code would take a tenth of a second for each of the hundreds of users in tests.
 */
export async function newcomer(stack: Stack, name = 'person') {
  const needs = await needsOf(stack);
  const email = newAddress(name);
  const { account, writes } = await organization.prepareAccount(needs, email);
  const { token, writes: opening } = session.newSession(needs, account.id, '');
  await commit(needs.table, [...writes, ...opening]);
  stack.mustNotBeLogged(token);
  const [home] = await organization.listOf(needs, account.id);
  return { token, email, id: account.id, home: home as { id: number; name: string } };
}

export async function newMember(stack: Stack, name?: string) {
  const person = await newcomer(stack, name);
  await user.acceptTerms(await needsOf(stack), person.id);
  return person;
}

export type Person = Awaited<ReturnType<typeof newcomer>>;
