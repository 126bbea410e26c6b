import * as list from '#core/list/list.ts';
import type * as organization from '#core/organization/organization.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { NewList } from '#shared/list.ts';
import { newOwner } from './people.ts';

export const LIST_FORM: NewList = {
  name: 'Readers',
  public_name: null,
  time_zone: null,
  reply_to: null,
  provider: 'mailgun',
  second_provider: null,
  warm_up: 'off',
  domain: 'example.com',
  sender_name: 'The editors',
  sender_address: 'letters@example.com',
  unsubscribe_text: 'Unsubscribe',
  active: true,
};

export async function newList(
  table: Table,
  now: Date,
  { organization, ...fields }: Partial<NewList> & { organization?: number } = {},
): Promise<list.CountedList> {
  const home = await newOwner(table, now);
  const active =
    organization === undefined ? home : { ...home, organization: { ...home.organization, id: organization } };
  return createList(table, now, active, fields);
}

export async function createList(
  table: Table,
  now: Date,
  active: organization.Active,
  fields: Partial<NewList> = {},
): Promise<list.CountedList> {
  const { id } = await list.create({ table, now }, active, { ...LIST_FORM, ...fields });
  return found(table, active.organization.id, id);
}

export async function found(table: Table, organization: number, id: string): Promise<list.CountedList> {
  const there = await list.lookUp({ table }, organization, id);
  if (!there) throw new Error('There is no such list');
  return there;
}
