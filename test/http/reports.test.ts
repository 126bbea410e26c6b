import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { storeLag } from '#core/storage/projection.ts';
import { deleteAll } from '#core/storage/table.store.ts';
import { dayAfter } from '#shared/report/range.ts';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { needsOf } from '../support/items.ts';
import { newMember, type Person } from '../support/member.ts';
import { writeLog } from '../support/written-log.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let stranger: Person;
let template: string;
let today: string;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([newMember(stack), newMember(stack)]);
  template = await newTemplate(stack, owner, { name: 'Anna' });
  today = (await needsOf(stack)).now.toISOString().slice(0, 10);
});

type Query = Record<string, string>;
const as = ({ token, home }: Person) => ({ token, organization: home.id });
const report = (query: Query = {}, person = owner) =>
  call('GET /api/reporting/combinations', {
    ...as(person),
    query: { start_date: today, end_date: today, ...query },
  });
const detail = (combination: string, query: Query = {}, person = owner) =>
  call('GET /api/reporting/combinations/{combination}', {
    ...as(person),
    params: { combination },
    query: { start_date: today, end_date: today, ...query },
  });
const days = (query: Query = {}, person = owner) =>
  call('GET /api/reporting/days', { ...as(person), query: { start_date: today, end_date: today, ...query } });
const log = (query: Query = {}, person = owner) => call('GET /api/email-sends', { ...as(person), query });

const REVERSED = 'The end date must not be before the start date';
const TOO_LONG = 'A report covers 5 years at most';
const YEARS = 'A report covers days of the years 2000 to 2999';

describe('a range', () => {
  it.each<[Query, string, string]>([
    [{ start_date: '' }, 'start_date', 'Please select both start and end dates'],
    [{ start_date: '2030-1-1' }, 'start_date', 'start_date must be a date, written as yyyy-MM-dd'],
    [{ end_date: '2030-02-30' }, 'end_date', 'end_date must be a date, written as yyyy-MM-dd'],
    [{ end_date: '2030-01-01T00:00:00Z' }, 'end_date', 'end_date must be a date, written as yyyy-MM-dd'],
    [{ start_date: '2030-02-01', end_date: '2030-01-31' }, 'end_date', REVERSED],
    [{ start_date: '2024-12-31', end_date: '2030-01-01' }, 'end_date', TOO_LONG],
    [{ start_date: '2999-12-01', end_date: '3000-01-01' }, 'end_date', YEARS],
    [{ start_date: '0001-01-01', end_date: '2030-01-01' }, 'end_date', YEARS],
  ])('that is none is refused, by each report: %o', async (query, field, message) => {
    for (const { status, body } of [await report(query), await days(query), await detail(template, query)]) {
      expect([status, body.message, body.errors]).toEqual([422, message, { [field]: [message] }]);
    }
  });

  it('may be the earliest and the latest, with nothing in it', async () => {
    for (const start_date of ['2000-01-01', '2994-12-31']) {
      const query = { start_date, end_date: `${Number(start_date.slice(0, 4)) + 5}${start_date.slice(4)}` };
      expect(await report(query)).toMatchObject({ status: 200, body: { combinations: [] } });
      expect(await days(query)).toMatchObject({ status: 200, body: { stats_by: 'month' } });
      expect(await detail(template, query)).toMatchObject({
        status: 200,
        body: { stats_by: 'month', total_sent: 0, recent_sends: [] },
      });
    }
  });

  it('of the log may end on any day, but not before it begins', async () => {
    for (const [from, to] of [
      ['0001-01-01', '9999-12-31'],
      ['9999-12-31', '9999-12-31'],
    ] as const) {
      for (const filter of [
        {},
        { status: 'opened', combination: template },
        { status: 'skipped' },
      ] as Query[]) {
        expect(await log({ from, to, ...filter })).toMatchObject({ status: 200, body: { data: [] } });
      }
    }
    expect((await log({ from: '2030-02-01', to: '2030-01-31' })).body.errors).toEqual({
      from: ['from must not be after to'],
    });
  });
});

it.each([
  [{ sort_by: 'secret' }, 'sort_by', /^sort_by must be one of id, sent, /],
  [{ sort_by: '__proto__' }, 'sort_by', /^sort_by must be one of/],
  [{ sort_direction: 'up' }, 'sort_direction', /^sort_direction must be/],
] as [Query, string, RegExp][])(
  'an order that there is not is refused: %o',
  async (query, field, message) => {
    const { status, body } = await report(query);
    expect([status, body.errors]).toEqual([422, { [field]: [expect.stringMatching(message)] }]);
  },
);

it('a type that there is not is refused', async () => {
  expect((await detail(template, { type: 'other' })).body.errors.type).toHaveLength(1);
});

it('a combination of another organization is answered like one that does not exist', async () => {
  const unknown = await detail('0'.repeat(12), {}, stranger);
  expect(unknown.status).toBe(404);
  for (const id of [template, '%23', '..%2f', 'x'.repeat(199), '__proto__']) {
    const { status, text } = await detail(id, {}, stranger);
    expect([id, status, text]).toEqual([id, 404, unknown.text]);
  }
  expect((await log({ combination: template }, stranger)).body.data).toEqual([]);
});

it('an organization that has sent nothing has an empty report, log and combination, without a rate of nothing', async () => {
  const unsent = await newTemplate(stack, stranger, { name: 'Bea' });
  expect((await report({}, stranger)).body).toMatchObject({
    combinations: [],
    left_out: 0,
    totals: {
      sent: 0,
      machine_opened: 0,
      open_rate: '0.00%',
      value: 0,
      value_per_send: 0,
      value_per_click: 0,
    },
  });
  const date = dayAfter(today, -1);
  expect((await days({ start_date: date, end_date: date }, stranger)).body).toMatchObject({
    stats_by: 'day',
    daily_stats: [{ date, total_sent: 0, value: 0 }],
    previous_stats: [{ date: dayAfter(date, -1), total_sent: 0 }],
  });
  expect((await detail(unsent, {}, stranger)).body).toMatchObject({
    total_sent: 0,
    value_per_send: 0,
    value_per_click: 0,
    recent_sends: [],
    recent_sends_since: null,
    daily_stats: [{ date: today, total_sent: 0 }],
  });
  expect((await log({}, stranger)).body).toMatchObject({ data: [], meta: { last_page: 1, next: null } });
});

it('while the projector is behind, report and combination say since when', async () => {
  const { table, now } = await needsOf(stack);
  const oldest = new Date(now.getTime() - 5 * 60_000);
  onTestFinished(() => deleteAll(table, [{ PK: 'LAG', SK: '-' }]));
  await storeLag({ table, now }, 'a shard', oldest);
  for (const { status, body } of [await report(), await days(), await detail(template)]) {
    expect([status, body.counted_until]).toEqual([200, oldest.toISOString()]);
  }
});

describe('the place at which a page of the log ended', () => {
  const FILTERS: Query[] = [
    {},
    { status: 'sent' },
    { status: 'opened' },
    { status: 'clicked' },
    { status: 'skipped' },
    { status: 'unknown' },
    { list: 'lista' },
    { recipient: 'reader0@example.com' },
  ];
  const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);
  const whole = new Map<Query, string[]>();
  const places: string[] = [];

  beforeAll(async () => {
    const { table } = await needsOf(stack);
    const minutes = [1, 2, 3].map(day => `${dayAfter(today, -day)}T09:00`);
    for (const [place, { home }] of [owner, stranger].entries()) {
      const batches = minutes.map((minute, nth) => ({
        minute,
        pack: `pack${nth}`,
        list: 'lista',
        automation: 'autoa',
        end: 'sent' as const,
        at: `${minute}:00.000Z`,
        sends: [0, 1, 2].map(reader => ({
          to: `reader${reader}@example.com`,
          seq: 10 * place + nth + 1,
          combination: template,
          at: `${minute}:05.000Z`,
          marks: { opened_at: `${minute}:30.000Z`, first_clicked_at: `${minute}:40.000Z` },
        })),
      }));
      await writeLog(table, home.id, batches);
    }
    for (const filter of FILTERS) {
      whole.set(filter, ids(await log(filter)));
      const { next } = (await log({ ...filter, per_page: '1' })).body.meta;
      if (next) places.push(next);
    }
    expect(places.length).toBeGreaterThan(4);
  });

  it('leads with another filter to emails of that filter alone, or is refused', async () => {
    for (const filter of FILTERS) {
      for (const after of places) {
        const answer = await log({ ...filter, after });
        if (answer.status === 200) expect(whole.get(filter)).toEqual(expect.arrayContaining(ids(answer)));
        else expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['after']]);
      }
    }
  });

  it('leads in another organization to its own emails alone', async () => {
    const theirs = new Set(ids(await log({}, stranger)));
    expect(theirs.size).toBe(9);
    const nobody = await newMember(stack);
    for (const after of places) {
      const answer = await log({ after }, nobody);
      expect([200, 422]).toContain(answer.status);
      if (answer.status === 200) expect(ids(answer)).toEqual([]);
      const others = await log({ after }, stranger);
      if (others.status === 200) expect(ids(others).every(id => theirs.has(id))).toBe(true);
    }
  });

  it.each([
    'AAAA',
    Buffer.from('1 ORG#1#LOG/x').toString('base64url'),
    Buffer.from('1 ').toString('base64url'),
    '!',
  ])('is refused where it is made up: %s', async after => {
    expect(await log({ after })).toMatchObject({
      status: 422,
      body: { errors: { after: [expect.any(String)] } },
    });
  });
});
