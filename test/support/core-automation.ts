import { expect } from 'vitest';
import type * as automation from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { partitionOf, shardOf } from '#core/sources/source.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import type { NewAutomation } from '#shared/automation.ts';
import { createList } from './core-list.ts';
import { intercepted } from './intercepted.ts';
import { newOwner } from './people.ts';
import { form } from './unstored.ts';

export async function createAutomation(
  table: Table,
  now: Date,
  organization: number,
  fields: Partial<NewAutomation> = {},
): Promise<automation.StoredAutomation> {
  const { id } = await automations.create({ table, now }, organization, form(fields));
  return stored(table, organization, id);
}

export const stored = async (table: Table, organization: number, id: string) =>
  automations.found(await getAll(table, automations.keysOf(organization, id)));

/** An organization with some lists, whose ids are in order. */
export async function newLists(table: Table, now: Date, names: string[]): Promise<list.CountedList[]> {
  const acting = await newOwner(table, now);
  const lists: list.CountedList[] = [];
  for (const name of names) lists.push(await createList(table, now, acting, { name }));
  return lists.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const addColumn = (table: Table, of: list.CountedList, column: string) =>
  batchWrite(table, { puts: [{ PK: `LIST#${of.id}`, SK: `COLUMN#${column}`, members: 0 }] });

/** Sets the count that the projector would have made. */
export const setSubscribed = (table: Table, of: list.CountedList, subscribed: number) =>
  batchWrite(table, { puts: [{ PK: `LIST#${of.id}`, SK: 'COUNTS', total: subscribed, subscribed }] });

export type Member = {
  email: string;
  /** When they were added, or the date of `starts` in their metadata. */
  date: Date;
  state: 'subscribed' | 'unsubscribed' | 'removed';
};

/** Adds a person on their date, which is also in `starts`. Then they may unsubscribe or be removed. */
export async function addMember(
  table: Table,
  of: list.CountedList,
  { email, date, state }: Member,
): Promise<void> {
  const needs = { table, now: date };
  await listMember.upsertAll(needs, of, [{ email, starts: date.toISOString() }]);
  if (state === 'unsubscribed') await listMember.upsertAll(needs, of, [{ email, is_subscribed: false }]);
  if (state === 'removed')
    await recipient.leave(needs, recipientKey.keyOf(of.organization_id, email), of.id, 'app');
}

/** A table whose queries of trigger rows return small pages, and the number of pages that were read. */
export function inSmallPages(table: Table, perPage: number) {
  let pages = 0;
  const on = intercepted(table, (send, { constructor: { name }, input }) => {
    const { ExpressionAttributeValues: values } = input as { ExpressionAttributeValues?: { ':pk'?: string } };
    if (name === 'QueryCommand' && values?.[':pk']?.startsWith('TRG#')) {
      pages++;
      Object.assign(input, { Limit: perPage });
    }
    return send();
  });
  return { on, pages: () => pages };
}

export async function sourcesOf(table: Table, organization: number): Promise<string[]> {
  const items = await queryPartition(table, partitionOf(shardOf(organization)), `${organization}#`);
  expect(items.map(item => Object.keys(item).sort())).toEqual(items.map(() => ['PK', 'SK', 'since']));
  return items.map(({ SK }) => String(SK));
}

export function countingWrites(table: Table) {
  const written: number[] = [];
  const on = intercepted(table, (send, { constructor: { name }, input }) => {
    const { TransactItems } = input as { TransactItems?: object[] };
    if (TransactItems) written.push(TransactItems.length);
    else if (/^(Put|Update|Delete|BatchWrite)/.test(name)) written.push(1);
    return send();
  });
  return { on, written };
}
