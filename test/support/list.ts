import * as lists from '#core/list/list.ts';
import { upsertAll } from '#core/list/list-member/rows.ts';
import { NewList } from '#shared/list.ts';
import { found } from './core-list.ts';
import { needsOf } from './items.ts';
import type { Person } from './member.ts';
import { actingIn } from './people.ts';
import type { Stack } from './stack.ts';

type Wanted = { name?: string; domain?: string; organization?: number };

export async function newList(
  stack: Stack,
  { id, home }: Person,
  { name = 'Customers', domain = 'example.com', organization = home.id }: Wanted = {},
): Promise<string> {
  const needs = await needsOf(stack);
  const fields = { name, domain, sender_name: 'The shop', sender_address: `hello@${domain}` };
  const active = await actingIn(needs.table, id, organization);
  return (await lists.create(needs, active, NewList.parse(fields))).id;
}

let tokens = 0;

/** A program with an API token of its own that adds members to a list. */
export async function programFor(stack: Stack, { token, home }: Person, list: string) {
  const body = { name: `fill_${++tokens}`, expiration: null };
  const apiToken: string = (await stack.call('POST /api/tokens', { token, body })).body.token;
  stack.mustNotBeLogged(apiToken);
  const send = (members: unknown) =>
    stack.call('POST /api/v1/email-lists/{list}/members', {
      token: apiToken,
      organization: home.id,
      params: { list },
      body: { members },
    });
  return { apiToken, send };
}

export async function newProgrammedList(stack: Stack, person: Person) {
  const id = await newList(stack, person, { name: 'Readers' });
  return { id, ...(await programFor(stack, person, id)) };
}

/** Adds members as a program does; returns when they are counted. */
export async function addMembers(
  stack: Stack,
  { home }: Person,
  list: string,
  members: { email: string; [field: string]: unknown }[],
): Promise<void> {
  const needs = await needsOf(stack);
  const to = await found(needs.table, home.id, list);
  for (let from = 0; from < members.length; from += 100)
    await upsertAll(needs, to, members.slice(from, from + 100));
  await stack.fetchJson('POST', '/_local/drain');
}

export const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `person${String(index).padStart(4, '0')}@example.com`,
  }));
