import { expect, it } from 'vitest';
import { totalsOfAutomations } from '#core/reporting/automation-totals.ts';
import { type Counts, rollupCounter } from '#core/sending/rollup.ts';
import { batchWrite, type Item, type Key } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-06-30T12:00:00Z');
const combination = (letter: string) => letter.repeat(12);
const automation = (nth: number) => `a${String(nth).padStart(11, '0')}`;
const broadcast = (nth: number) => `B${String(nth).padStart(11, '0')}`;

const store = (organization: number, ids: string[], fields: object = {}) =>
  batchWrite(table, {
    puts: ids.map(id => ({
      PK: `ORG#${organization}`,
      SK: `${id.startsWith('B') ? 'CAST' : 'AUTO'}#${id}`,
      id,
      organization_id: organization,
      ...fields,
    })),
  });

type Counted = [day: string, combination: string, automation: string | undefined, counts: Counts];

async function count(organization: number, all: Counted[]): Promise<void> {
  const items = new Map<string, Item & Key>();
  for (const [day, combination, automation, counts] of all) {
    const { key, add } = rollupCounter(organization, day, { combination, automation }, counts);
    items.set(key.SK, { ...items.get(key.SK), ...key, ...add });
  }
  await batchWrite(table, { puts: [...items.values()] });
}

async function totals(organization: number, ids: string[] | undefined, days = 90) {
  let requests = 0;
  const on = intercepted(table, send => {
    requests++;
    return send();
  });
  const answer = await totalsOfAutomations({ table: on, now, hasTimeLeft: () => true }, organization, {
    automations: ids,
    days,
  });
  return { requests, byId: new Map(answer.automations.map(one => [one.automation_id, one])) };
}

it('automations have their last ninety days, broadcasts their first thirty-one', async () => {
  const [own, cast] = [automation(1), broadcast(1)];
  await store(1, [own]);
  await store(1, [cast], { status: 'sent', begins_at: '2030-03-01T09:00:00.000Z' });
  await store(1, [broadcast(2)], { status: 'scheduled', begins_at: '2030-07-01T09:00:00.000Z' });
  await store(1, [broadcast(3)], { status: 'draft' });
  await store(2, [automation(9)]);
  const some = { sent: 4, opened: 3, clicked: 2, unsubscribed: 1, value: 15_000 };
  await count(1, [
    ['2030-04-01', combination('a'), own, { sent: 9 }],
    ['2030-04-02', combination('a'), own, some],
    ['2030-06-30', combination('b'), own, some],
    ['2030-03-01', combination('c'), cast, some],
    ['2030-03-31', combination('c'), undefined, { value: 5_000 }],
    ['2030-04-01', combination('c'), undefined, { value: 90_000 }],
  ]);
  const { byId } = await totals(1, [own, cast, broadcast(2), broadcast(3), automation(9), automation(8)]);
  const period = (start_date: string, end_date: string) => ({ start_date, end_date });
  const sums = (of: number) => ({
    sent: 4 * of,
    opened: 3 * of,
    clicked: 2 * of,
    unsubscribed: of,
    conversions: 0,
    value: 1.5 * of,
  });
  expect([...byId.values()]).toEqual([
    { automation_id: own, ...period('2030-04-02', '2030-06-30'), ...sums(2) },
    { automation_id: cast, ...period('2030-03-01', '2030-03-31'), ...sums(1), value: 2 },
  ]);
  const all = await totals(1, undefined, 30);
  expect([...all.byId.values()]).toEqual([
    { automation_id: own, ...period('2030-06-01', '2030-06-30'), ...sums(1) },
  ]);
  expect(all.requests).toBe(3);
});

it('opens are unknown where another automation has sent the same that day, value where it has on any day', async () => {
  const [first, second, alone] = [1, 2, 3].map(automation) as [string, string, string];
  await store(3, [first, second, alone]);
  const [a, b] = [combination('a'), combination('b')];
  const some = { sent: 2, opened: 1, clicked: 1, unsubscribed: 1, value: 10_000 };
  await count(3, [
    ['2030-06-01', a, first, some],
    ['2030-06-02', a, second, { sent: 1, clicked: 1 }],
    ['2030-06-02', b, alone, some],
  ]);
  const seen = (byId: Map<string, object>) => [first, second, alone].map(id => byId.get(id));
  const own = { sent: 2, clicked: 1, opened: 1, unsubscribed: 1 };
  expect(seen((await totals(3, [first, second, alone])).byId)).toMatchObject([
    { ...own, value: null },
    { sent: 1, clicked: 1, opened: 0, value: null },
    { ...own, value: 1 },
  ]);
  await count(3, [
    ['2030-06-02', b, alone, { sent: 1 }],
    ['2030-06-02', b, second, { sent: 1 }],
  ]);
  expect(seen((await totals(3, [alone])).byId)[2]).toMatchObject({
    sent: 1,
    opened: null,
    unsubscribed: null,
    value: null,
  });
});

it('twenty automations cost five requests, twenty broadcasts in as many months twenty-two', async () => {
  const [automations, broadcasts] = [automation, broadcast].map(idOf =>
    Array.from({ length: 20 }, (_, nth) => idOf(nth)),
  ) as [string[], string[]];
  await store(4, automations);
  for (const [nth, id] of broadcasts.entries()) {
    const begins_at = new Date(Date.UTC(2026, 2 * nth, 1)).toISOString();
    await store(4, [id], { status: 'sent', begins_at });
  }
  expect((await totals(4, automations)).requests).toBe(5);
  expect(await totals(4, broadcasts)).toMatchObject({ requests: 22, byId: { size: 20 } });
});
