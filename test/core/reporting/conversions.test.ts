import { beforeEach, describe, expect, it } from 'vitest';
import { rebuild } from '#core/operations/rebuild.ts';
import * as erasure from '#core/person/erasure.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { ofAutomation, report } from '#core/reporting/report.ts';
import { post } from '#core/reporting/value.ts';
import { project } from '#core/storage/projection.ts';
import { type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { CombinationsQuery } from '#shared/reporting.ts';
import { NewValue } from '#shared/value.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { losingAnswer } from '#test/support/lost-answer.ts';
import { projecting } from '#test/support/projecting.ts';
import { newSent } from '#test/support/sent.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable();
const written = streamOf(table);
const start = new Date('2030-01-30T23:50:00Z');
const DAY = '2030-01-30';
const later = new Date('2030-02-03T12:00:00Z');

let ann: Awaited<ReturnType<typeof newSent>>;
let id: number;
let send_id: string;
beforeEach(async () => {
  ann = await newSent(table, start, { content: { cta_url: 'https://example.com/?send={{send_id}}' } });
  id = ann.sender.organization;
  send_id = `${ann.key.hash}-1`;
  await countAll();
});

async function countAll() {
  for (const { shard, records } of await written()) {
    const needs = { ...projecting, table, now: start };
    await project(
      needs,
      `${shard} of ${id}`,
      records.map(record => contributionOf(record)),
    );
  }
}

type Named = Partial<Pick<NewValue, 'emailTemplateCombinationId' | 'email' | 'send_id'>>;
const buy = (eventId: string, value: number, { named = { send_id } as Named, on = table as Table } = {}) =>
  post({ table: on, now: later }, id, { ...named, eventId, value });
const needs = { table, now: later, hasTimeLeft: () => true };
const reported = async () => {
  await countAll();
  const query = CombinationsQuery.parse({ start_date: DAY, end_date: '2030-02-03' });
  return report(needs, ann.sender.acting, query);
};
const rows = async () =>
  (await reported()).combinations.map(({ sent, conversions, value }) => ({ sent, conversions, value }));
const events = () => queryPartition(table, `ORG#${id}#VALUE`);

describe('a value that names the email', () => {
  it('is in its links, counts on its day, for its combination, its automation and its person', async () => {
    expect((await ann.claim())?.values).toMatchObject({ send_id });
    const claim = await ann.claim();
    expect(await buy('order-1', 20)).toMatchObject({
      emailTemplateCombinationId: claim?.combination,
      value: 20,
    });
    expect(await ann.claim()).toMatchObject({ converted_at: later.toISOString(), value: 200_000 });
    expect(await events()).toMatchObject([{ hash: hashOf(ann.email), lists: [ann.list.id], seq: 1 }]);
    const { combinations, totals } = await reported();
    expect(combinations).toMatchObject([{ id: claim?.combination, sent: 1, conversions: 1, value: 20 }]);
    expect(totals).toMatchObject({ conversions: 1, value: 20 });
    const range = { start_date: DAY, end_date: DAY };
    const automation = { organization_id: id, id: String(claim?.automation_id) };
    expect(await ofAutomation(needs, automation, range)).toMatchObject({ conversions: 1, value: 20 });
  });

  it('counts its email once, however often the person buys, and its value each time', async () => {
    await buy('order-1', 20);
    await countAll();
    await buy('order-1', 99);
    await Promise.all([buy('order-2', 0.5), buy('order-3', 100), buy('order-3', 100)]);
    expect(await rows()).toEqual([{ sent: 1, conversions: 1, value: 120.5 }]);
    const fields = (await queryPartition(table, `ORG#${id}#REPORT`)).flatMap(item => Object.entries(item));
    // It is in one class of amounts: that of all of its orders.
    const amounts = fields.filter(([name, count]) => /^[ka].{15}$/.test(name) && count !== 0);
    expect(amounts.map(([name, count]) => [name[0], count]).sort()).toEqual([
      ['a', 1_205_000],
      ['k', 1],
    ]);
  });

  it('of nothing is a conversion too', async () => {
    await buy('sign-up', 0);
    expect(await rows()).toEqual([{ sent: 1, conversions: 1, value: 0 }]);
  });

  it('is stored with its email or not at all, wherever a process dies', async () => {
    await crashingAtEachWrite(
      table,
      async () => {},
      on => buy('order-1', 20, { on }),
    );
    expect((await ann.claim())?.value).toBe(200_000);
    expect(await buy('order-2', 1, { on: losingAnswer(table) })).toMatchObject({ is_repeated: false });
    expect(await rows()).toEqual([{ sent: 1, conversions: 1, value: 21 }]);
  });

  it.each([
    ['another number', () => `${ann.key.hash}-7`],
    ['nobody', () => `${'0'.repeat(22)}-1`],
    ['another form', () => 'send-1'],
    ['the number of something else', () => `${ann.key.hash}-0`],
  ])('is refused for %s, and nothing is stored', async (_, idOf) => {
    const refused = buy('order-1', 1, { named: { send_id: idOf() } });
    await expect(refused).rejects.toMatchObject({
      errors: { send_id: [expect.stringContaining('no email')] },
    });
    expect(await events()).toEqual([]);
  });

  it('is refused for an email that was claimed and released, so never sent', async () => {
    const { PK, SK } = (await ann.claim()) as Key;
    await updateItem(table, { PK, SK }, { set: { released: true } });
    await expect(buy('order-1', 1)).rejects.toMatchObject({ errors: { send_id: expect.anything() } });
    expect(await events()).toEqual([]);
  });

  it('is refused in another organization, and for an erased person', async () => {
    const other = await newSent(table, start);
    const body = { send_id: `${other.key.hash}-9`, eventId: 'order-1', value: 1 };
    await expect(post({ table, now: later }, other.sender.organization, body)).rejects.toThrow();
    await erasure.erase({ table, now: later, hasTimeLeft: () => true }, id, ann.email);
    await expect(buy('order-1', 1)).rejects.toMatchObject({ errors: { send_id: expect.anything() } });
    expect(await events()).toEqual([]);
  });
});

describe('a value that names the person', () => {
  it('and the combination counts for the newest email with it, and without one on its own day', async () => {
    const { combination } = (await ann.claim()) ?? {};
    const named = { email: ann.email, emailTemplateCombinationId: String(combination) };
    await buy('order-1', 20, { named });
    expect(await rows()).toEqual([{ sent: 1, conversions: 1, value: 20 }]);
    await ann.sender.add(ann.list, 'ben@example.com', {});
    await buy('order-2', 5, { named: { ...named, email: 'ben@example.com' } });
    expect(await rows()).toEqual([{ sent: 1, conversions: 1, value: 25 }]);
    expect(await events()).toMatchObject([{ seq: 1 }, { hash: hashOf('ben@example.com') }]);
  });

  it('alone, or the combination alone, is no conversion of an email', async () => {
    const { combination } = (await ann.claim()) ?? {};
    await buy('order-1', 20, { named: { email: ann.email } });
    await buy('order-2', 5, { named: { emailTemplateCombinationId: String(combination) } });
    expect(await rows()).toEqual([{ sent: 1, conversions: 0, value: 5 }]);
  });
});

it('what conversions brought in is counted again by a rebuild as it was counted', async () => {
  await buy('order-1', 20);
  await buy('order-2', 700);
  await buy('order-3', 1, {
    named: { emailTemplateCombinationId: String((await ann.claim())?.combination) },
  });
  await countAll();
  const different = [];
  for await (const one of rebuild({ table, pause: async () => {}, progress: () => {} }, id, { fix: false }))
    different.push(one);
  expect(different).toEqual([]);
});

it.each([
  ['a number', { send_id: 7 }, 'send_id must be a text'],
  ['nothing', { send_id: ' ' }, 'send_id is required'],
  ['what is longer than any', { send_id: 'x'.repeat(101) }, 'There is no email with this send_id'],
  ['what names the person too', { send_id: 'a', email: 'ann@example.com' }, 'leave out'],
  ['what names the combination too', { send_id: 'a', emailTemplateCombinationId: 'b' }, 'leave out'],
])('send_id refuses %s', (_, fields, message) => {
  const { error } = NewValue.safeParse({ eventId: 'order-1', value: 1, ...fields });
  expect(error?.issues.map(one => one.message)).toEqual([expect.stringContaining(message)]);
});
