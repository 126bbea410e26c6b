import { beforeEach, describe, expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { explain } from '#core/person/explanation.ts';
import * as plans from '#core/plan/plan.ts';
import { probably } from '#core/reporting/allocation-model.ts';
import { earnersAfter, rankEarners, readEarnings } from '#core/reporting/earnings.ts';
import { dryRun, withSafeguards } from '#core/sending/forecast/dry-run.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { automationHash, type Counts, rollupCounter } from '#core/sending/rollup.ts';
import { readContext } from '#core/sending/state.ts';
import { batchWrite, type Item, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import { DesiredState } from '#shared/plan.ts';
import { dayAfter } from '#shared/report/range.ts';
import { ANN, deliveries, HOUR, MINUTE, memberOf, type Sender, timeAfter } from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';

const { table, ready, mailedAt, reasons, storedAutomation } = deliveries();
const TODAY = '2030-01-01';
const TOMORROW = '2030-01-02';
const EVENING = new Date(`${TODAY}T23:10:00Z`);

// A run looks at all organizations.
beforeEach(async () => {
  for (const id of await safeguards.organizationsByValue(table))
    await safeguards.change({ table, now: EVENING }, id, { order: 'least_recent' });
  expect(await safeguards.organizationsByValue(table)).toEqual([]);
});

type Counted = { automation: string; id: string; day?: string; counts: Counts };
async function count(sender: Sender, all: Counted[]) {
  const items = new Map<string, Item & Key>();
  for (const { day = '2029-12-30', id, automation, counts } of all) {
    const { key, add } = rollupCounter(sender.organization, day, { combination: id, automation }, counts);
    const before = items.get(key.SK);
    const sums = Object.entries(add).map(([field, more]) => [field, Number(before?.[field] ?? 0) + more]);
    items.set(key.SK, { ...before, ...key, ...Object.fromEntries(sums) });
  }
  await batchWrite(table, { puts: [...items.values()] });
}

/** Three automations that are due at ten o'clock each day, of which the limits let one go. */
async function three() {
  const { sender, readers, automation: a, template } = await ready([ANN], { every_x_days: 1 });
  const fields = { email_list_ids: [readers.id], metadata_trigger: 'trial_ends', delay_days: 2 };
  const others = [];
  for (const name of ['b', 'c']) {
    const { id } = await sender.newAutomation({ ...fields, every_x_days: 1, name });
    others.push({ id, template: (await sender.newTemplate([id])).id });
  }
  const [b, c] = others as [{ id: string; template: string }, { id: string; template: string }];
  await safeguards.change({ table, now: sender.now }, sender.organization, { max_emails_1_hour: 1 });
  return { sender, readers, a: { id: a, template }, b, c };
}
const setOrder = (sender: Sender, order: 'value' | 'least_recent') =>
  safeguards.change({ table, now: sender.now }, sender.organization, { order });

async function rank({ now = EVENING, on = table as Table, hasTimeLeft = (): boolean => true } = {}) {
  const failed: unknown[] = [];
  const stored = await rankEarners({ table: on, now: () => now, hasTimeLeft, failed: of => failed.push(of) });
  return { stored, failed };
}
const earnersIn = async (sender: Sender) =>
  (await safeguards.readWithEarners(table, sender.organization)).earners;
const clicksOf = ({ id: automation, template: id }: { id: string; template: string }, counts: Counts) => ({
  automation,
  id,
  counts,
});
const BECOMES_VALUE = { order: 'value' } as const;
const needs = (now = EVENING) => ({ table, now, hasTimeLeft: () => true });

describe('what emails earn', () => {
  it('are clicks where no value is proven, else value', async () => {
    const { sender, a, b } = await three();
    await count(sender, [clicksOf(a, { sent: 1_000, clicked: 50 }), clicksOf(b, { sent: 100, clicked: 30 })]);
    const clicks = await readEarnings(needs(), sender.organization);
    expect(clicks.by).toBe('clicks');
    expect(clicks.results.get(automationHash(a.id))).toMatchObject({
      emails: 1_000,
      earned: { total: 50, variance: 50 },
    });
    const orders = Array.from({ length: 25 }, (_, nth) => ({
      ...clicksOf(a, { value: 100_000, reported: 1 }),
      day: dayAfter('2029-12-05', nth),
    }));
    await count(sender, [clicksOf(a, { sent: 1_000, clicked: 50 }), ...orders]);
    const value = await readEarnings(needs(), sender.organization);
    expect(value.by).toBe('value');
    expect(value.results.get(automationHash(a.id))?.earned.total).toBe(2_500_000);
  });

  it('of a combination that two automations sent, each has its share of the emails', async () => {
    const { sender, a, b } = await three();
    await count(sender, [
      clicksOf(a, { sent: 900, complained: 40 }),
      clicksOf({ ...b, template: a.template }, { sent: 300 }),
    ]);
    const { results } = await readEarnings(needs(), sender.organization);
    expect(results.get(automationHash(a.id))?.complained.total).toBeCloseTo(30);
    expect(results.get(automationHash(b.id))?.complained.total).toBeCloseTo(10);
  });

  it('nothing is proven by few, by one large order, or by clicks of one day', () => {
    expect(probably({ total: 19, variance: 19 })).toBeNull();
    expect(probably({ total: 0, variance: 0 })).toBeNull();
    expect(probably({ total: 1_000, variance: 1_000 ** 2 })).toBeNull();
    const { estimate = 0, from = 0, to = 0 } = probably({ total: 400, variance: 400 }) ?? {};
    expect([estimate, from < 400 && from > 300, to > 400 && to < 520]).toEqual([400, true, true]);
    // Fewer, by the sign of what is lost.
    expect(probably({ total: -400, variance: 400 })).toMatchObject({ estimate: -400, from: -to, to: -from });
  });
});

describe('what earns most, before a day', () => {
  it('is stored once, by the lower ends of ranges; what is not proven is not named', async () => {
    const { sender, a, b, c } = await three();
    await count(sender, [
      clicksOf(a, { sent: 10_000, clicked: 600 }),
      // More clicks by an email, of which less is sure.
      clicksOf(b, { sent: 300, clicked: 21 }),
      clicksOf(c, { sent: 10, clicked: 9 }),
    ]);
    expect(await rank()).toEqual({ stored: 0, failed: [] });
    await setOrder(sender, 'value');
    // A change of something else leaves it at that.
    await safeguards.change({ table, now: sender.now }, sender.organization, { max_emails_1_week: 7 });
    expect(await rank()).toEqual({ stored: 1, failed: [] });
    expect(await earnersIn(sender)).toEqual({ [TOMORROW]: [a.id, b.id] });
    await count(sender, [clicksOf(b, { sent: 10_000, clicked: 9_000 })]);
    expect(await rank({ now: new Date(`${TODAY}T23:50:00Z`) })).toEqual({ stored: 0, failed: [] });
    expect(await earnersIn(sender)).toEqual({ [TOMORROW]: [a.id, b.id] });
    await setOrder(sender, 'least_recent');
    expect(await earnersAfter(needs(), sender.organization, BECOMES_VALUE)).toEqual({
      [TOMORROW]: [b.id, a.id],
    });
  });

  it('goes by what one email earns, however many were sent', async () => {
    const { sender, a, b } = await three();
    await count(sender, [
      clicksOf(a, { sent: 10_000, clicked: 600 }),
      clicksOf(b, { sent: 2_000, clicked: 200 }),
    ]);
    await setOrder(sender, 'value');
    await rank();
    expect(await earnersIn(sender)).toEqual({ [TOMORROW]: [b.id, a.id] });
  });

  it('is refused once senders may read that day, as a process may be slow', async () => {
    const { sender } = await three();
    await setOrder(sender, 'value');
    expect(await rank({ now: new Date(`${TODAY}T23:56:00Z`) })).toEqual({ stored: 0, failed: [] });
    expect(await earnersIn(sender)).toEqual({});
  });

  it('what cannot be read in time is told of, and stores nothing', async () => {
    const { sender, a } = await three();
    await setOrder(sender, 'value');
    await count(sender, [clicksOf(a, { sent: 10_000, clicked: 600 })]);
    let calls = 0;
    const { failed } = await rank({ hasTimeLeft: () => calls++ < 1 });
    expect(failed).toEqual([{ organization: sender.organization }]);
    expect(await earnersIn(sender)).toEqual({});
  });

  it('two runs at once store one order, and a change of the limits meanwhile is kept', async () => {
    const { sender } = await three();
    await setOrder(sender, 'value');
    const results = await Promise.all([rank(), rank()]);
    expect(results.reduce((sum, { stored }) => sum + stored, 0)).toBe(1);
    const limited = await safeguards.change({ table, now: EVENING }, sender.organization, {
      max_emails_24_hours: 9,
    });
    expect(limited).not.toHaveProperty('earners');
    expect(Object.keys(await earnersIn(sender))).toEqual([TOMORROW]);
  });
});

describe('by value', () => {
  const store = (sender: Sender, day: string, ids: string[]) =>
    safeguards.storeEarners(table, sender.organization, day, async () => ids);
  const sentBy = async (sender: Sender) =>
    (await queryPartition(table, `ORG#${sender.organization}#LOG`)).flatMap(({ SK, type }) =>
      type === 'batch' ? [String(SK).split('.')[1]] : [],
    );

  it('a limit leaves room for what earns most on the day; else for what mailed the person least recently', async () => {
    const { sender, readers, a, b, c } = await three();
    await setOrder(sender, 'value');
    const gone = (count: number) => Array.from({ length: count }, (_, nth) => `gone${nth}`);
    // The third one is before the eleventh one, and that before who has no place.
    await store(sender, TODAY, [...gone(2), c.id, ...gone(7), a.id]);
    await store(sender, TOMORROW, [c.id, b.id]);
    for (const day of [0, 1, 2]) await mailedAt(sender, timeAfter(day * 24 * HOUR + 3 * MINUTE));
    expect(await sentBy(sender)).toEqual([c.id, c.id, [a.id, b.id].sort()[0]]);
    expect(await reasons(sender)).toEqual(Array(3).fill('capped:max_emails_5_minutes'));
    const member = await listMember.find({ table }, sender.organization, memberOf(readers, ANN));
    const explained = async ({ id }: { id: string }) =>
      (await explain({ table, now: sender.now }, member, await storedAutomation(sender, id))).past.map(
        ({ earns_more }) => earns_more,
      );
    expect(await explained(b)).toEqual([null, 'c', 'c']);
    expect(await explained(c)).toEqual([null, null, null]);
    await setOrder(sender, 'least_recent');
    expect(await explained(b)).toEqual([null, null, null]);
  });

  it('of what a limit held back, nothing is said to earn more that was sent in another minute', async () => {
    const { sender, readers, c } = await three();
    const fields = { email_list_ids: [readers.id], metadata_trigger: 'trial_ends', delay_days: 2 };
    const later = await sender.newAutomation({ ...fields, every_x_days: 1, delay_minutes: 30 });
    await sender.newTemplate([later.id]);
    await setOrder(sender, 'value');
    await store(sender, TODAY, [c.id]);
    await mailedAt(sender, timeAfter(3 * MINUTE));
    await mailedAt(sender, timeAfter(33 * MINUTE));
    const member = await listMember.find({ table }, sender.organization, memberOf(readers, ANN));
    const stored = await storedAutomation(sender, later.id);
    const { past } = await explain({ table, now: sender.now }, member, stored);
    expect(past).toMatchObject([{ reason: 'capped:max_emails_1_hour', earns_more: null }]);
  });

  it('the simulation and the dry run of the order say what becomes of each', async () => {
    const { sender, a, b, c } = await three();
    await count(sender, [clicksOf(c, { sent: 10_000, clicked: 600 })]);
    const earners = await earnersAfter(needs(sender.now), sender.organization, BECOMES_VALUE);
    const changed = await dryRun(
      needs(sender.now),
      sender.organization,
      withSafeguards({ order: 'value' }, earners),
    );
    // One of three is sent on each day, whichever it is.
    expect(changed.next_7_days).toMatchObject({ emails: 0 });
    await setOrder(sender, 'value');
    await store(sender, TODAY, [c.id, b.id]);
    const said = await Promise.all(
      [a, b, c].map(
        async ({ id }) => (await simulate(needs(sender.now), await storedAutomation(sender, id))).will_send,
      ),
    );
    expect(said).toEqual([0, 0, 1]);
  });

  it('a plan of the order says on which days another one goes, before any ranking is stored', async () => {
    const { sender, c } = await three();
    await count(sender, [clicksOf(c, { sent: 10_000, clicked: 600 })]);
    const planned = { user: ANN, active: sender.acting, scopes: undefined };
    const wanted = DesiredState.parse({ safeguards: { order: 'value' } });
    const { effect } = await plans.make({ ...needs(sender.now), ...planned }, wanted);
    const usually = effect.days.map(({ more, fewer }) => `${more} more, ${fewer} fewer`);
    // On two of three days it would have been another one.
    expect(usually.filter(text => text === '1 more, 1 fewer').length).toBeGreaterThan(15);
    expect(new Set(usually)).toEqual(new Set(['0 more, 0 fewer', '1 more, 1 fewer']));
  });

  it('costs no read more', async () => {
    const { sender, a, b } = await three();
    const pack = {
      organization: sender.organization,
      minute: `${TODAY}T10:00`,
      sources: [a, b].map(({ id }) => ({ list: '', automation: id, column: '' })),
    };
    const requests = async () => {
      let counted = 0;
      const counting = intercepted(table, send => {
        counted++;
        return send();
      });
      await readContext(counting, pack, sender.now);
      return counted;
    };
    const before = await requests();
    await setOrder(sender, 'value');
    await store(sender, TODAY, [b.id, a.id]);
    expect(await requests()).toBe(before);
  });
});
