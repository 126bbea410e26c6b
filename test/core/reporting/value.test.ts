import { beforeEach, describe, expect, it } from 'vitest';
import * as emailTemplates from '#core/content/email-template.ts';
import { rebuild } from '#core/operations/rebuild.ts';
import * as organization from '#core/organization/organization.ts';
import { post } from '#core/reporting/value.ts';
import { bucketOf, countsIn } from '#core/sending/rollup.ts';
import { project } from '#core/storage/projection.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { amountOf, unitsOf } from '#shared/report/figures.ts';
import { NewValue } from '#shared/value.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { losingAnswer } from '#test/support/lost-answer.ts';
import { actingIn } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { purgesOf } from '#test/support/purge.ts';
import { newSender } from '#test/support/sending.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable();
const written = streamOf(table);
const now = new Date('2030-01-31T23:59:59.900Z');

type Sender = Awaited<ReturnType<typeof newSender>>;
let sender: Sender;
let id: number;
let combination: string;
beforeEach(async () => {
  sender = await newSender(table, now);
  id = sender.organization;
  combination = (await sender.newTemplate([])).id;
  await written();
});

const posting = (eventId: string, value: number, { on = table, at = now }: { on?: Table; at?: Date } = {}) =>
  post({ table: on, now: at }, id, { emailTemplateCombinationId: combination, eventId, value });

async function records() {
  const [one, ...others] = (await written()).filter(({ records }) => records.length > 0);
  expect(others).toEqual([]);
  return {
    shard: `${one?.shard} of ${id}`,
    contributions: (one?.records ?? []).map(record => contributionOf(record)),
  };
}
const count = ({ shard, contributions }: Awaited<ReturnType<typeof records>>, on: Table = table) =>
  project({ ...projecting, table: on, now }, shard, contributions);
const reported = async () =>
  (await queryPartition(table, `ORG#${id}#REPORT`)).map(item => {
    const { day, counts } = countsIn(item);
    return [day, amountOf(counts.get(combination)?.value ?? 0)];
  });
const events = () => queryPartition(table, `ORG#${id}#VALUE`);

describe('a value', () => {
  it('counts on the UTC day on which it was posted, also where nothing was sent on it', async () => {
    const { posted_at, ...posted } = await posting('order-1', 12.5);
    expect([posted, posted_at]).toEqual([
      { emailTemplateCombinationId: combination, eventId: 'order-1', value: 12.5, is_repeated: false },
      now.toISOString(),
    ]);
    await posting('order-2', 0.1, { at: new Date(now.getTime() + 200) });
    await count(await records());
    expect(await reported()).toEqual([
      ['2030-01-31', 12.5],
      ['2030-02-01', 0.1],
    ]);
  });

  it('counts once for each event id, and a repeated call is answered like the first one', async () => {
    const first = await posting('order-1', 12.5);
    const later = await posting('order-1', 99, { at: new Date(now.getTime() + 60_000) });
    expect(later).toEqual({ ...first, is_repeated: true });
    await count(await records());
    expect(await reported()).toEqual([['2030-01-31', 12.5]]);
  });

  it('counts once where fifty calls post it at once', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => posting('order-1', 12.5)));
    expect(all.filter(({ is_repeated }) => !is_repeated)).toHaveLength(1);
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set([12.5]));
    await count(await records());
    expect(await reported()).toEqual([['2030-01-31', 12.5]]);
  });

  it('is no repetition where the connection broke and the SDK has sent it again', async () => {
    expect(await posting('order-1', 12.5, { on: losingAnswer(table) })).toMatchObject({ is_repeated: false });
    expect(await events()).toHaveLength(1);
  });

  it('adds up without a trace of binary fractions', async () => {
    for (let n = 0; n < 30; n++) await posting(`order-${n}`, [0.1, 0.2, 1_000_000_000][n % 3] as number);
    await count(await records());
    expect(await reported()).toEqual([['2030-01-31', 10_000_000_003]]);
  });

  it('counts in its organization alone, where another one has the same event id', async () => {
    await posting('order-1', 1);
    const other = await newSender(table, now);
    const { id: theirs } = await other.newTemplate([]);
    const body = { emailTemplateCombinationId: theirs, eventId: 'order-1', value: 2 };
    expect(await post({ table, now }, other.organization, body)).toMatchObject({ is_repeated: false });
    await expect(post({ table, now }, id, { ...body, eventId: 'order-2' })).rejects.toThrow('no such');
    expect(await events()).toHaveLength(1);
  });

  it.each([
    ['none is set', undefined, 'Your organization has no currency yet'],
    ['another one is set', 'USD', 'Your organization reports values in USD'],
  ])('is refused with a currency where %s, and is not stored', async (_, currency, message) => {
    const body = { emailTemplateCombinationId: combination, eventId: 'order-1', value: 1, currency: 'EUR' };
    const refused = post({ table, now, currency }, id, body);
    await expect(refused).rejects.toMatchObject({ errors: { currency: [expect.stringContaining(message)] } });
    expect(await events()).toEqual([]);
    expect(await post({ table, now, currency: 'EUR' }, id, body)).toMatchObject({ is_repeated: false });
  });

  it('counts for a template that is deleted', async () => {
    const items = await getAll(table, emailTemplates.keysOf(id, combination));
    await emailTemplates.remove({ table, now }, await emailTemplates.found({ table }, sender.acting, items));
    expect(await posting('order-1', 3)).toMatchObject({ value: 3 });
  });

  it.each(['000000000000', 'no id', '', '#', 'x'.repeat(3_000)])(
    'is 404 for what is no combination: %s',
    async of => {
      const body = { emailTemplateCombinationId: of, eventId: 'order-1', value: 1 };
      await expect(post({ table, now }, id, body)).rejects.toMatchObject({ reason: 'not-found' });
      expect(await events()).toEqual([]);
    },
  );
});

describe('the projector', () => {
  it.each(['before', 'after'] as const)('counts a value once where it dies %s its write', async how => {
    await posting('order-1', 12.5);
    const posted = await records();
    // The rollup is missing, so the first write fails.
    for (const at of [1, 2])
      await expect(count(posted, crashing(table, { at, how }))).rejects.toThrow(Crashed);
    await count(posted);
    await count(posted);
    expect(await reported()).toEqual([['2030-01-31', 12.5]]);
  });

  it('counts nothing of an organization that is deleted, whose purge takes the events', async () => {
    const owner = sender.acting.membership.user_id;
    id = (await organization.create({ table, now }, owner, 'Annex')).id;
    const annex = await newSender(table, now, await actingIn(table, owner, id));
    combination = (await annex.newTemplate([])).id;
    await posting('order-1', 12.5);
    const posted = await records();
    await organization.remove({ table, now }, await actingIn(table, owner, id));
    await count(posted);
    await purgesOf(table).purged({ organization_id: id }, now);
    expect([await reported(), await events()]).toEqual([[], []]);
  });
});

it('counting anew finds what is wrong with values, and mends it', async () => {
  const found = async (fix: boolean) => {
    const all = [];
    const needs = { table, pause: async () => {}, progress: () => {} };
    for await (const { of, key, name, stored, counted } of rebuild(needs, id, { fix })) {
      all.push([of, `${key.SK} ${name}`, stored, counted]);
    }
    return all;
  };
  await posting('order-1', 12.5);
  await posting('order-2', 1, { at: new Date(now.getTime() + 200) });
  await count(await records());
  expect(await found(false)).toEqual([]);
  const key = (day: string) => ({ PK: `ORG#${id}#REPORT`, SK: `${day}#${bucketOf(combination)}` });
  await updateItem(table, key('2030-01-31'), { add: { [`v${combination}`]: 70 } });
  await batchWrite(table, { deletes: [key('2030-02-01')] });
  const wrong = [
    ['value', `2030-01-31#${bucketOf(combination)} v${combination}`, 125_070, 125_000],
    ['value', `2030-02-01#${bucketOf(combination)} r${combination}`, undefined, 1],
    ['value', `2030-02-01#${bucketOf(combination)} v${combination}`, undefined, 10_000],
  ];
  expect(await found(true)).toEqual(wrong);
  expect(await found(true)).toEqual([]);
  expect(await reported()).toEqual([
    ['2030-01-31', 12.5],
    ['2030-02-01', 1],
  ]);
});

describe('the shape of a value', () => {
  const valid = { emailTemplateCombinationId: '0123456789ab', eventId: 'order-1', value: 1 };
  const messages = (fields: object) =>
    NewValue.safeParse({ ...valid, ...fields }).error?.issues.map(({ message }) => message) ?? [];

  it.each([0, 0.0001, 0.1, 19.99, 123_456_789.1234, 999_999_999.9999, 1_000_000_000])(
    'takes %d, and keeps it',
    value => {
      expect(messages({ value })).toEqual([]);
      expect(amountOf(unitsOf(value))).toBe(value);
    },
  );

  it.each([0.1 + 0.2, 164.14999999999998, 999_999_999.9999001])(
    'takes %d, which sums of binary fractions leave, as what was meant',
    value => {
      expect(messages({ value })).toEqual([]);
      expect(amountOf(unitsOf(value))).toBe(Number(value.toFixed(4)));
    },
  );

  it.each<[string, object, string]>([
    ['no number', { value: undefined }, 'value is required'],
    ['a text', { value: '12.5' }, 'value must be a number'],
    ['nothing', { value: null }, 'value must be a number'],
    ['infinity', { value: Number.POSITIVE_INFINITY }, 'value must be a number'],
    ['what is not a number', { value: Number.NaN }, 'value must be a number'],
    ['less than nothing', { value: -0.01 }, 'value must be at least 0'],
    ['too much', { value: 1_000_000_000.01 }, 'value must be at most 1,000,000,000'],
    ['a fraction of a ten-thousandth', { value: 0.00001 }, 'value must have at most 4 decimals'],
    ['a fifth decimal of a large number', { value: 100_000.00005 }, 'value must have at most 4 decimals'],
    ['a fifth decimal', { value: 164.14999 }, 'value must have at most 4 decimals'],
    ['no event', { eventId: undefined }, 'eventId is required'],
    ['an empty event', { eventId: ' ' }, 'eventId is required'],
    ['a number for an event', { eventId: 7 }, 'eventId must be a text'],
    ['a long event', { eventId: 'x'.repeat(201) }, 'eventId must be at most 200 characters'],
    ['a control character', { eventId: 'order\n1' }, 'eventId must not contain control characters'],
    ['no combination', { emailTemplateCombinationId: undefined }, 'emailTemplateCombinationId is required'],
    [
      'a number for a combination',
      { emailTemplateCombinationId: 7 },
      'emailTemplateCombinationId must be a text',
    ],
    ...['eur', 'EURO', '', 'XYZ', 7, null].map((currency): [string, object, string] => [
      `the currency ${currency}`,
      { currency },
      'currency must be a code of ISO 4217 in capital letters, such as EUR',
    ]),
  ])('refuses %s', (_, fields, message) => {
    expect(messages(fields)).toEqual([message]);
  });

  it('ignores other unknown fields', () => {
    expect(NewValue.parse({ ...valid, shop: 'north' })).toEqual(valid);
  });
});
