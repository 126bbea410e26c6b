import { beforeEach, expect, it } from 'vitest';
import * as safeguards from '#core/organization/safeguards.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { estimateLimit, safeguardsReport } from '#core/reporting/limits.ts';
import { type Counts, rollupCounter } from '#core/sending/rollup.ts';
import { addSkips } from '#core/sending/skip.store.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { INITIAL_SAFEGUARDS, type SafeguardsChange } from '#shared/safeguards.ts';
import { deliveries, type Sender } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, ready } = deliveries();
const NOW = new Date('2030-01-20T12:00:00Z');
const needs = { table, now: NOW, hasTimeLeft: () => true };

let sender: Sender;
let automation: string;
let template: string;
beforeEach(async () => {
  ({ sender, automation, template } = await ready(['ann@example.com', 'bob@example.com'], {
    every_x_days: 1,
  }));
});

const count = async (counts: Counts, { day = '2030-01-10', of = automation } = {}) => {
  const counter = rollupCounter(sender.organization, day, { combination: template, automation: of }, counts);
  await batchWrite(table, { puts: [{ ...counter.key, ...counter.add }] });
};
const skip = (
  minute: string,
  people: number,
  { of = automation, reason = 'capped:max_emails_24_hours' } = {},
) =>
  addSkips(
    table,
    {
      organization: sender.organization,
      minute,
      id: `pack of ${of}`,
      sources: [{ list: 'list', automation: of }],
    },
    Array.from({ length: people }, (_, nth) => ({
      hash: hashOf(`${nth}`),
      source: 0,
      reason: reason as 'dead',
    })),
  );
const report = async () => {
  const { limits, ...range } = await safeguardsReport(needs, sender.organization);
  return { ...range, day: limits.find(({ limit }) => limit === 'max_emails_24_hours'), limits };
};
const change = (to: SafeguardsChange) => safeguards.change({ table, now: NOW }, sender.organization, to);
const estimate = (max_emails_1_week: number) =>
  estimateLimit(needs, sender.organization, { max_emails_1_week });

it('each limit has what it held back, and what that would probably have earned and how many complaints', async () => {
  await count({ sent: 10_000, clicked: 500, complained: 100 });
  await skip('2030-01-11T10:00', 400);
  await skip('2030-01-12T10:00', 200);
  // Neither by a limit, nor within 30 days.
  await skip('2030-01-13T10:00', 50, { reason: 'warm_up' });
  await skip('2029-12-21T23:59', 50);
  const { day, limits, ...range } = await report();
  expect(range).toEqual({
    start_date: '2029-12-22',
    end_date: '2030-01-20',
    counted_since: null,
    earned_by: 'clicks',
  });
  expect(day).toMatchObject({
    emails: 600,
    unknown: 0,
    earned: { estimate: 30 },
    complained: { estimate: 6 },
  });
  expect(day?.earned?.from).toBeGreaterThan(24);
  expect(day?.earned?.to).toBeLessThan(37);
  expect(limits.filter(({ emails }) => emails > 0)).toHaveLength(1);
  expect(limits[0]).toEqual({
    limit: 'max_emails_5_minutes',
    emails: 0,
    unknown: 0,
    earned: null,
    complained: null,
  });
});

it('is a sum over automations by how many emails of each were held back; what sent nothing is not estimated', async () => {
  const other = await newSender(table, NOW);
  await count({ sent: 1_000, clicked: 100 });
  await count({ sent: 1_000, clicked: 400 }, { day: '2030-01-11', of: 'better' });
  await skip('2030-01-11T10:00', 10);
  await skip('2030-01-11T10:00', 20, { of: 'better' });
  await skip('2030-01-11T10:00', 7, { of: 'new' });
  const { day } = await report();
  expect(day).toMatchObject({ emails: 37, unknown: 7, earned: { estimate: 10 * 0.1 + 20 * 0.4 } });
  const { limits } = await safeguardsReport(needs, other.organization);
  expect(limits.every(({ emails }) => emails === 0)).toBe(true);
});

it('says nothing of few clicks, and counts value where that is proven', async () => {
  await skip('2030-01-11T10:00', 100);
  await count({ sent: 1_000, clicked: 19, complained: 2 });
  expect((await report()).day).toMatchObject({ emails: 100, earned: null, complained: null });
  for (const day of ['2030-01-11', '2030-01-12'])
    await count({ sent: 500, value: 30 * 250_000, reported: 30, complained: 30 }, { day });
  const { day, earned_by } = await report();
  // 25 by each of 60 conversions of 2,000 emails.
  expect([earned_by, day?.earned?.estimate]).toEqual(['value', 75]);
  // Complaints stay a number.
  expect(day?.complained?.estimate).toBe(3.1);
});

it('another limit of a week says how many emails more or fewer, for whom, and what they probably earn', async () => {
  await count({ sent: 10_000, clicked: 1_000 });
  await change({ max_emails_1_week: 5 });
  expect(await estimate(5)).toMatchObject({ emails: 0, people_more: 0, people_fewer: 0, earned: null });
  const more = await estimate(7);
  expect(more).toMatchObject({ people_more: 2, people_fewer: 0, earned_by: 'clicks', sampled: null });
  // Each day one of each of two people: of 30 days, those within limits of 7 and of 5.
  expect(more.emails).toBeGreaterThan(10);
  expect(more.earned?.estimate).toBeCloseTo(more.emails / 10);
  // Of a sample too, what they earn is of all of them.
  const sampled = await estimateLimit({ ...needs, mostPeople: 1 }, sender.organization, {
    max_emails_1_week: 7,
  });
  expect(sampled.sampled).not.toBeNull();
  expect(sampled.emails).toBe(more.emails);
  expect(sampled.earned?.estimate).toBeCloseTo(sampled.emails / 10);
  const fewer = await estimate(2);
  expect(fewer).toMatchObject({ people_more: 0, people_fewer: 2 });
  expect(fewer.emails).toBeLessThan(-20);
  const { estimate: lost = 0, from = 0, to = 0 } = fewer.earned ?? {};
  expect([lost < 0, from < lost, lost < to, to < 0]).toEqual([true, true, true, true]);
  await change({ enabled: false });
  expect(await estimate(1)).toMatchObject({ emails: 0, people_fewer: 0 });
  expect(await safeguards.read(table, sender.organization)).toEqual({
    ...INITIAL_SAFEGUARDS,
    enabled: false,
    max_emails_1_week: 5,
  });
});
