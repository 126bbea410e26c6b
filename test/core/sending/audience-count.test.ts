import { beforeAll, expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import { countMatching } from '#core/sending/forecast/audience-count.ts';
import { MOST_PEOPLE } from '#core/sending/forecast/predict.ts';
import { mismatchOf, type SendingState } from '#core/sending/state.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import type { AudienceRule } from '#shared/audience.ts';
import type { ZoneOf } from '#shared/schedule.ts';
import { newLists, setSubscribed } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { unstored } from '#test/support/unstored.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const PRO: AudienceRule = { field: 'plan', op: 'is', value: 'pro' };

let lists: [list.CountedList, list.CountedList];
/** 300 readers, every third of them pro; 50 of them are customers too, all of them pro there, and 10 are customers alone. */
beforeAll(async () => {
  lists = (await newLists(table, now, ['Readers', 'Customers'])) as typeof lists;
  const [readers, customers] = lists;
  const members = (from: number, until: number, plan: (at: number) => string) =>
    Array.from({ length: until - from }, (_, at) => ({
      email: `m${from + at}@example.com`,
      plan: plan(from + at),
      is_subscribed: (from + at) % 100 !== 0,
    }));
  await upsert.upsertAll(
    { table, now },
    readers,
    members(0, 300, at => (at % 3 === 0 ? 'pro' : 'free')),
  );
  await upsert.upsertAll(
    { table, now: new Date('2030-01-01T09:00:00Z') },
    customers,
    members(250, 310, () => 'pro'),
  );
  // Who has unsubscribed is on the list all the same.
  await upsert.upsertAll({ table, now }, customers, [
    { email: 'm1@example.com', plan: 'pro', is_subscribed: false },
  ]);
  await setSubscribed(table, readers, 297);
  await setSubscribed(table, customers, 59);
});

type Asked = Partial<Parameters<typeof countMatching>[0]> & { ids?: string[]; time_zone_of?: ZoneOf };

const count = (rules: AudienceRule[] | null, asked?: Asked) => countIn(lists[0], rules, asked);

const countIn = (
  { organization_id }: list.CountedList,
  rules: AudienceRule[] | null,
  { ids = lists.map(({ id }) => id), time_zone_of = 'organization', ...needs }: Asked = {},
) =>
  countMatching(
    { table, now, hasTimeLeft: () => true, ...needs },
    { id: organization_id, name: 'A', active: true, created_at: now.toISOString() },
    { email_list_ids: ids, audience: rules && { all: rules }, time_zone_of },
  );

it('counts each person who is subscribed once, and who matches on one of their lists', async () => {
  const [{ id: readers }, { id: customers }] = lists;
  const pro = Array.from({ length: 310 }, (_, at) => at).filter(at =>
    at < 250 ? at % 3 === 0 && at % 100 !== 0 : at !== 300,
  );
  expect(await count(null)).toEqual({ matching: 306, of: 306, sampled: null });
  expect(await count([PRO])).toEqual({ matching: pro.length, of: 306, sampled: null });
  expect(await count([PRO], { ids: [customers] })).toEqual({ matching: 59, of: 59, sampled: null });
  const onBoth = await count([{ field: '@list', op: 'on', value: customers }], { ids: [readers] });
  expect(onBoth).toEqual({ matching: 51, of: 297, sampled: null });
  const onOwn = await count([{ field: '@list', op: 'on', value: readers }], { ids: [readers] });
  expect(onOwn).toEqual({ matching: 297, of: 297, sampled: null });
  expect(await count([PRO], { ids: [] })).toEqual({ matching: 0, of: 0, sampled: null });
});

it('the days of a date are those of the time zone of the list, where the automation goes by that', async () => {
  const [tokyo] = (await newLists(table, now, ['Tokyo'])) as [list.CountedList];
  await list.change({ table, now }, tokyo, { time_zone: 'Asia/Tokyo' });
  await upsert.upsertAll({ table, now }, tokyo, [{ email: 'a@example.com', ends: '2030-01-01T16:00:00Z' }]);
  const rule: AudienceRule = { field: 'ends', op: 'before', value: '2030-01-02' };
  const isBefore = (time_zone_of: ZoneOf) => countIn(tokyo, [rule], { ids: [tokyo.id], time_zone_of });
  expect(await isBefore('organization')).toMatchObject({ matching: 1 });
  expect(await isBefore('list')).toMatchObject({ matching: 0 });
});

it('estimates from a sample of more people, within its margin, and reads no others', async () => {
  let keys = 0;
  const on = intercepted(table, (send, { input }) => {
    const { RequestItems } = input as { RequestItems?: Record<string, { Keys?: { PK: string }[] }> };
    keys += (RequestItems?.[table.name]?.Keys ?? []).filter(({ PK }) => PK.startsWith('R#')).length;
    return send();
  });
  const { matching, of, sampled } = await count([PRO], { ids: [lists[0].id], mostPeople: 100, table: on });
  expect(MOST_PEOPLE).toBe(10_000);
  expect({ of, sampled, keys }).toMatchObject({ of: 297, sampled: { people: 100, of: 297 }, keys: 100 });
  expect(sampled?.margin).toBeGreaterThan(10);
  expect(Math.abs(matching - 97)).toBeLessThanOrEqual(2 * (sampled?.margin ?? 0));
});

it('estimates the rest from the rows that it could read in time', async () => {
  const isOver = (reserve?: number) => reserve === undefined;
  expect(await count([PRO], { hasTimeLeft: isOver })).toMatchObject({
    of: 356,
    sampled: { people: 297, of: 356 },
  });
  expect(await count([PRO], { hasTimeLeft: () => false })).toMatchObject({ matching: 0, of: 0 });
});

it('refuses a list that the organization does not have', async () => {
  const unknown = '0'.repeat(12);
  await expect(count(null, { ids: [unknown] })).rejects.toMatchObject({
    errors: { email_list_ids: [expect.any(String)] },
  });
  const rule: AudienceRule = { field: '@list', op: 'not_on', value: unknown };
  await expect(count([rule])).rejects.toMatchObject({ errors: { audience: [expect.any(String)] } });
});

it('the days of a date are those of the time zone of the member, where the automation goes by that', () => {
  const state = { lists: new Map() } as SendingState;
  const rule: AudienceRule = { field: 'ends', op: 'before', value: '2030-01-02' };
  const metadata = { ends: '2030-01-01T16:00:00Z', zone: 'Asia/Tokyo' };
  const member = {
    email: 'a@example.com',
    metadata,
    created_at: now.toISOString(),
    lists: new Set<string>(),
  };
  const mismatch = (time_zone_of: ZoneOf) =>
    mismatchOf(state, 'readers', unstored(1, { audience: { all: [rule] }, time_zone_of }), member, now);
  expect(mismatch('organization')).toBeUndefined();
  expect(mismatch('member')).toEqual(rule);
});

it('leaves out whoever has unsubscribed, though a row of theirs is left behind', async () => {
  const [left] = (await newLists(table, now, ['Left'])) as [list.CountedList];
  const add = (is_subscribed: boolean) =>
    upsert.upsertAll({ table, now }, left, [{ email: 'left@example.com', plan: 'pro', is_subscribed }]);
  await add(true);
  const PK = `TRG#${left.id}#`;
  const rows = await queryPartition(table, PK);
  await add(false);
  await batchWrite(table, { puts: rows.map(row => ({ ...row, PK, SK: String(row.SK) })) });
  expect(await countIn(left, [PRO], { ids: [left.id] })).toEqual({ matching: 0, of: 0, sampled: null });
});
