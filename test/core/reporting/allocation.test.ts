import { describe, expect, it } from 'vitest';
import { sharesKey, storeShares } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { explain } from '#core/person/explanation.ts';
import { writeClick } from '#core/recipient/journal.ts';
import { hashOf, memberId } from '#core/recipient/recipient.key.ts';
import { allocate, sharesReport } from '#core/reporting/allocation.ts';
import { ofAutomation } from '#core/reporting/report.ts';
import * as value from '#core/reporting/value.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { type Counts, countsIn, rollupCounter } from '#core/sending/rollup.ts';
import {
  batchWrite,
  get,
  getAll,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import { AutomationChange } from '#shared/automation.ts';
import { NewTemplateVersion } from '#shared/email-template.ts';
import { dayAfter } from '#shared/report/range.ts';
import { SharesReport } from '#shared/reporting.ts';
import { DAY } from '#shared/time.ts';
import { template } from '#test/support/content.ts';
import { ANN, deliveries, HOUR, MINUTE, start, sweptPack, timeAfter } from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';

const { table, ready, follow, storedAutomation, changeAutomation } = deliveries();
const TODAY = '2030-01-01';
const EVENING = new Date(`${TODAY}T23:10:00Z`);
const TOMORROW = '2030-01-02';

type Ready = Awaited<ReturnType<typeof ready>>;

/** An automation with two templates, which sends more of what is clicked. */
async function allocated(emails?: string[], fields: object = {}) {
  const made = await ready(emails, { allocation: 'clicks', ...fields });
  const { id: other } = await made.sender.newTemplate([made.automation], { subject_line: 'Another one' });
  return { ...made, other };
}

type Counted = { day?: string; id: string; weighted?: boolean; counts: Counts };
async function count({ sender, automation }: Pick<Ready, 'sender' | 'automation'>, all: Counted[]) {
  const items = new Map<string, Item & Key>();
  for (const { day = '2029-12-30', id, weighted, counts } of all) {
    const of = { combination: id, automation, weighted };
    const { key, add } = rollupCounter(sender.organization, day, of, counts);
    items.set(key.SK, { ...items.get(key.SK), ...key, ...add });
  }
  await batchWrite(table, { puts: [...items.values()] });
}

async function run({ now = EVENING, on = table as Table, hasTimeLeft = (): boolean => true } = {}) {
  const failed: unknown[] = [];
  const needs = { table: on, now: () => now, hasTimeLeft, failed: (of: unknown) => failed.push(of) };
  return { stored: await allocate(needs), failed };
}

const sharesOf = async ({ sender, automation }: Pick<Ready, 'sender' | 'automation'>, day = TOMORROW) =>
  (await get(table, sharesKey(sender.organization, { automation, day })))?.parts as
    | Record<string, Record<string, number>>
    | undefined;

const reported = async (
  { sender, automation }: Pick<Ready, 'sender' | 'automation'>,
  { now = new Date(`${TOMORROW}T12:00:00Z`), start_date = TODAY, end_date = TOMORROW } = {},
) =>
  SharesReport.parse(
    await sharesReport({ table, now, hasTimeLeft: () => true }, await storedAutomation(sender, automation), {
      start_date,
      end_date,
    }),
  );

const templateOf = async ({ sender, template }: Ready) =>
  emailTemplates.found(
    { table },
    sender.acting,
    await getAll(table, emailTemplates.keysOf(sender.organization, template)),
  );

/** Puts shares in place of those that a night would have drawn. */
const putShares = ({ sender, automation }: Ready, day: string, parts: object) =>
  batchWrite(table, { puts: [{ ...sharesKey(sender.organization, { automation, day }), parts }] });

describe('in the hour before midnight', () => {
  it('the shares of the next day are stored: what is clicked more is sent more', async () => {
    const one = await allocated();
    await count(one, [
      { id: one.template, counts: { sent: 5_000, clicked: 250 } },
      { id: one.other, counts: { sent: 5_000, clicked: 150 } },
    ]);
    expect(await run()).toEqual({ stored: 1, failed: [] });
    expect(await sharesOf(one)).toEqual({ template: { [one.template]: 970, [one.other]: 30 } });
    expect(await sharesOf(one, TODAY)).toBeUndefined();
    expect(await run()).toEqual({ stored: 0, failed: [] });
  });

  it('they are stored once: whatever is clicked until midnight does not change them, another content does', async () => {
    const one = await allocated();
    await run();
    const before = await sharesOf(one);
    await count(one, [{ day: TODAY, id: one.template, counts: { sent: 5_000, clicked: 2_500 } }]);
    expect(await run({ now: new Date(EVENING.getTime() + 20 * MINUTE) })).toMatchObject({ stored: 0 });
    expect(await sharesOf(one)).toEqual(before);
    const { id: third } = await one.sender.newTemplate([one.automation], { subject_line: 'A third one' });
    expect(await run({ now: new Date(EVENING.getTime() + 40 * MINUTE) })).toMatchObject({ stored: 1 });
    const ids = async () => Object.keys((await sharesOf(one))?.template ?? {}).sort();
    expect(await ids()).toEqual([one.template, one.other, third].sort());
    const wording = NewTemplateVersion.parse(template({ subject_line: 'Reworded' }));
    const { id } = await emailTemplates.createVersion(
      { table, now: EVENING },
      await templateOf(one),
      wording,
    );
    expect(await run({ now: new Date(EVENING.getTime() + 44 * MINUTE) })).toMatchObject({ stored: 1 });
    expect(await ids()).toEqual([id, one.other, third].sort());
  });

  it('what was clicked six weeks ago is still learnt from', async () => {
    const one = await allocated();
    await count(one, [
      { day: '2029-11-20', id: one.template, counts: { sent: 50_000, clicked: 2_500 } },
      { day: '2029-11-20', id: one.other, counts: { sent: 50_000, clicked: 1_500 } },
    ]);
    await run();
    expect((await sharesOf(one))?.template?.[one.template]).toBeGreaterThan(800);
  });

  it.each(['23:56:00', '23:59:59'])(
    'nothing is stored at %s, when senders may have read the next day',
    async at => {
      const one = await allocated();
      expect(await run({ now: new Date(`${TODAY}T${at}Z`) })).toEqual({ stored: 0, failed: [] });
      expect(await sharesOf(one)).toBeUndefined();
    },
  );

  it('a run that becomes late while it reads stores nothing for the day that begins', async () => {
    const one = await allocated();
    const times = [EVENING, EVENING, new Date(`${TOMORROW}T00:00:00Z`)];
    const needs = { table, now: () => times.shift() ?? times[0] ?? new Date(`${TOMORROW}T00:00:00Z`) };
    await allocate({ ...needs, hasTimeLeft: () => true, failed: () => {} });
    expect(await sharesOf(one)).toBeUndefined();
  });

  it.each([
    ['23:55:59', true],
    ['23:56:00', false],
  ])('shares that are known at %s are stored: %s', async (at, isStored) => {
    const { sender, automation } = await allocated();
    const of = { automation, day: TOMORROW };
    const needs = { table, now: () => new Date(`${TODAY}T${at}Z`) };
    const shares = { before: undefined, shares: { template: { one: 1_000 } } };
    expect(await storeShares(needs, sender.organization, of, shares)).toBe(isStored);
    expect((await sharesOf({ sender, automation })) !== undefined).toBe(isStored);
  });

  it('at midnight it is about the day after', async () => {
    const one = await allocated();
    await run({ now: new Date(`${TOMORROW}T00:00:00Z`) });
    expect(await sharesOf(one)).toBeUndefined();
    expect(await sharesOf(one, '2030-01-03')).toBeDefined();
  });

  it('an automation at equal shares, one that is off and one without content get none', async () => {
    const [equal, off, empty] = [
      await ready(),
      await allocated(),
      await ready(undefined, { allocation: 'clicks' }),
    ];
    await changeAutomation(off.sender, off.automation, { active: false });
    await emailTemplates.remove({ table, now: start }, await templateOf(empty));
    await run();
    for (const one of [equal, off, empty]) expect(await sharesOf(one)).toBeUndefined();
  });

  it('one that fails delays no other, and the next run stores its shares', async () => {
    const [broken, whole] = [await allocated(), await allocated()];
    const reports = `ORG#${broken.sender.organization}#REPORT`;
    const failing = intercepted(table, async (send, { input }) => {
      if (JSON.stringify(input).includes(`"${reports}"`)) throw new Error('The table is slow');
      return send();
    });
    const { failed } = await run({ on: failing });
    expect(failed).toEqual([{ organization: broken.sender.organization }]);
    expect(await sharesOf(whole)).toBeDefined();
    await run();
    expect(await sharesOf(broken)).toBeDefined();
  });

  it('without time it begins nothing', async () => {
    const one = await allocated();
    expect(await run({ hasTimeLeft: () => false })).toEqual({ stored: 0, failed: [] });
    expect(await sharesOf(one)).toBeUndefined();
  });

  it('two runs at once store the same', async () => {
    const one = await allocated();
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ failed }) => failed)).toEqual([[], []]);
    const { template: shares = {} } = (await sharesOf(one)) ?? {};
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBe(1_000);
  });

  it('days on which the content was changed are not learnt from', async () => {
    const one = await allocated();
    // The templates were created on this day.
    await count(one, [
      { day: TODAY, id: one.template, counts: { sent: 5_000, clicked: 500 } },
      { day: TODAY, id: one.other, counts: { sent: 5_000, clicked: 50 } },
    ]);
    await run();
    const { template: shares = {} } = (await sharesOf(one)) ?? {};
    expect(Math.abs((shares[one.template] ?? 0) - 500)).toBeLessThan(80);
  });

  it('what was clicked until the run is learnt from', async () => {
    const one = await allocated();
    await count(one, [
      { day: TOMORROW, id: one.template, counts: { sent: 5_000, clicked: 250 } },
      { day: TOMORROW, id: one.other, counts: { sent: 5_000, clicked: 150 } },
    ]);
    await run({ now: new Date(EVENING.getTime() + DAY) });
    const shares = { template: { [one.template]: 970, [one.other]: 30 } };
    expect(await sharesOf(one, dayAfter(TOMORROW, 1))).toEqual(shares);
  });

  it.each(['double_send_first', 'triple_send_third'])(
    'with copies (%s), only emails at equal shares are learnt from: by shares, second copies have what first ones lack',
    async copies => {
      const one = await allocated(undefined, { [copies]: true });
      const emails = [
        { id: one.template, weighted: true, counts: { sent: 5_000, clicked: 500 } },
        { id: one.other, weighted: true, counts: { sent: 5_000, clicked: 50 } },
        { id: one.template, counts: { sent: 5_000, clicked: 150 } },
        { id: one.other, counts: { sent: 5_000, clicked: 250 } },
      ];
      await count(one, emails);
      await run();
      expect((await sharesOf(one))?.template).toEqual({ [one.template]: 30, [one.other]: 970 });
    },
  );

  it('by conversions, the combination that people buy after is sent more, whatever is clicked', async () => {
    const one = await allocated();
    const posted = { emailTemplateCombinationId: one.template, eventId: 'order-1', value: 1 };
    await value.post({ table, now: start }, one.sender.organization, posted);
    await changeAutomation(one.sender, one.automation, { allocation: 'conversions' });
    await count(one, [
      { id: one.template, counts: { sent: 5_000, clicked: 500, conversions: 40 } },
      { id: one.other, counts: { sent: 5_000, clicked: 100, conversions: 120 } },
    ]);
    await run();
    expect((await sharesOf(one))?.template).toEqual({ [one.template]: 30, [one.other]: 970 });
  });
});

describe('a setting', () => {
  it('of conversions is refused where no value was ever posted', async () => {
    const { sender, automation } = await ready();
    const fault = { errors: { allocation: [expect.stringContaining('No value was ever reported')] } };
    const change = () => changeAutomation(sender, automation, { allocation: 'conversions' });
    await expect(change()).rejects.toMatchObject(fault);
    await expect(sender.newAutomation({ allocation: 'conversions' })).rejects.toMatchObject(fault);
    expect((await storedAutomation(sender, automation)).allocation).toBe('equal');
    expect(AutomationChange.safeParse({ allocation: 'opens' }).success).toBe(false);
  });

  it('of an automation is equal shares, also of one from before', async () => {
    const { sender, automation } = await ready();
    const { allocation: _, ...before } = await storedAutomation(sender, automation);
    const shown = await automations.detail({ table }, before);
    expect(shown.allocation).toBe('equal');
  });
});

describe('on a day with shares', () => {
  const people = Array.from({ length: 300 }, (_, nth) => `reader${nth}@example.com`);

  async function claimsOf({ sender }: Ready): Promise<Item[]> {
    const journals = await Promise.all(
      people.map(email => queryPartition(table, `R#${sender.organization}#${hashOf(email)}`, 'J#')),
    );
    return journals.flat().filter(({ type }) => type === 'send');
  }
  async function sent(one: Ready): Promise<Item[]> {
    one.sender.at(timeAfter(2 * MINUTE));
    await one.sender.run(timeAfter(4 * MINUTE));
    await follow(one.sender.now);
    return claimsOf(one);
  }

  it('emails are chosen by them; the claim says so, and what is counted is what is sent', async () => {
    const one = await allocated(people);
    await putShares(one, TODAY, { template: { [one.template]: 900, [one.other]: 100 } });
    const claims = await sent(one);
    expect(claims).toHaveLength(people.length);
    const weighted = claims.filter(claim => claim.weighted);
    expect(weighted.length).toBeGreaterThan(250);
    expect(weighted.length).toBeLessThan(290);
    for (const claim of weighted) expect(claim.share).toBe(claim.combination === one.template ? 0.9 : 0.1);
    for (const { weighted, share } of claims) if (!weighted) expect(share).toBe(0.5);
    const ofOther = claims.filter(({ combination }) => combination === one.other).length;
    expect(ofOther).toBeGreaterThan(20);
    expect(ofOther).toBeLessThan(65);
    const shown = one.sender.mails().filter(({ subject }) => subject === 'Another one').length;
    expect(shown).toBe(ofOther);
    const report = await ofAutomation(
      { table, now: one.sender.now, hasTimeLeft: () => true },
      await storedAutomation(one.sender, one.automation),
      { start_date: TODAY, end_date: TODAY },
    );
    expect(report.sent).toBe(people.length);
    const clicked = {
      at: one.sender.now.toISOString(),
      url: 'https://shop.example.com',
      by: 'person',
    } as const;
    for (const { PK, seq } of claims) {
      const key = { organization: one.sender.organization, hash: String(PK).split('#').at(-1) ?? '' };
      await writeClick(table, key, { ...clicked, seq: Number(seq), part: 'cta_url' });
    }
    await follow(one.sender.now);
    const items = await queryPartition(table, `ORG#${one.sender.organization}#REPORT`);
    const counts = Object.assign({}, ...items);
    const weightedOf = (letter: string) =>
      Object.keys(counts)
        .filter(field => new RegExp(`^${letter}.{17}w$`).test(field))
        .reduce((sum, field) => sum + counts[field], 0);
    expect([weightedOf('s'), weightedOf('c')]).toEqual([weighted.length, weighted.length]);
    const ofCombinations = items.flatMap(item => [...countsIn(item).counts]);
    expect(new Map(ofCombinations)).toEqual(
      new Map([
        [one.template, { sent: people.length - ofOther, clicked: people.length - ofOther }],
        [one.other, { sent: ofOther, clicked: ofOther }],
      ]),
    );
  });

  it.each([
    ['the minute after midnight, those of the day on which they were due', 2 * MINUTE + 30_000, 'template'],
    ['later, those of the day on which they are claimed', 12 * MINUTE, 'other'],
  ] as const)('of emails that were due before midnight count %s', async (_, claimed, chosen) => {
    const one = await allocated(people.slice(0, 30), { delay_minutes: 13 * 60 + 59 });
    await putShares(one, TODAY, { template: { [one.template]: 1_000, [one.other]: 0 } });
    await putShares(one, TOMORROW, { template: { [one.template]: 0, [one.other]: 1_000 } });
    const pack = await sweptPack(one.sender, 14 * HOUR + 3 * MINUTE);
    expect(pack.minute).toBe(`${TODAY}T23:59`);
    one.sender.at(timeAfter(14 * HOUR + claimed));
    await deliver(one.sender.needs, pack);
    const claims = (await claimsOf(one)).filter(({ weighted }) => weighted);
    expect(claims.length).toBeGreaterThan(20);
    expect(new Set(claims.map(({ combination }) => combination))).toEqual(new Set([one[chosen]]));
  });

  it('that are equal again, or of another day, they do not count', async () => {
    const one = await allocated(people);
    await putShares(one, TODAY, { template: { [one.template]: 970, [one.other]: 30 } });
    await changeAutomation(one.sender, one.automation, { allocation: 'equal' });
    await putShares(one, TOMORROW, { template: { [one.template]: 970, [one.other]: 30 } });
    const claims = await sent(one);
    expect(claims.filter(({ share, weighted }) => share || weighted)).toEqual([]);
    const ofOther = claims.filter(({ combination }) => combination === one.other).length;
    expect(ofOther).toBeGreaterThan(120);
    expect(ofOther).toBeLessThan(180);
  });

  it('a pack reads them in the request that it makes anyway', async () => {
    const [equal, one] = [await ready(), await allocated([ANN])];
    await putShares(one, TODAY, { template: { [one.template]: 900, [one.other]: 100 } });
    one.sender.at(timeAfter(3 * MINUTE));
    await one.sender.sweep();
    const reads = new Map<number, number>();
    for (const { pack } of one.sender.queue.splice(0)) {
      const counting = intercepted(table, (send, { constructor: { name } }) => {
        if (/Get|Query/.test(name)) reads.set(pack.organization, (reads.get(pack.organization) ?? 0) + 1);
        return send();
      });
      await deliver({ ...one.sender.needs, table: counting }, pack);
    }
    expect(one.sender.mails()).toHaveLength(2);
    expect(reads.get(one.sender.organization)).toBe(reads.get(equal.sender.organization));
  });

  it('the explanation of an email names its share', async () => {
    const one = await allocated([ANN]);
    await putShares(one, TODAY, { template: { [one.template]: 900, [one.other]: 100 } });
    one.sender.at(timeAfter(2 * MINUTE));
    await one.sender.run(timeAfter(4 * MINUTE));
    const member = await listMember.find(
      { table },
      one.sender.organization,
      memberId(one.readers.id, hashOf(ANN)),
    );
    const automation = await storedAutomation(one.sender, one.automation);
    const { past } = await explain({ table, now: timeAfter(HOUR) }, member, automation);
    expect([0.9, 0.1, 0.5]).toContain(past[0]?.share);
  });

  it('a new wording has the share of the one before at once, also if that is from the evening before', async () => {
    const one = await allocated(people);
    await putShares(one, TODAY, { template: { [one.template]: 970, [one.other]: 30 } });
    const reword = async (template_id: string, now: Date) => {
      const wording = NewTemplateVersion.parse(template({ subject_line: `Written ${now.toISOString()}` }));
      const before = await templateOf({ ...one, template: template_id });
      return (await emailTemplates.createVersion({ table, now }, before, wording)).id;
    };
    const evening = await reword(one.template, new Date('2029-12-31T23:58:00Z'));
    const id = await reword(evening, start);
    const claims = await sent(one);
    expect(claims.filter(({ combination }) => combination === id).length).toBeGreaterThan(250);
    expect(claims.filter(({ combination }) => combination === one.template)).toEqual([]);
  });
});

describe('the report of shares', () => {
  it('has each day up to today; equal shares where none are stored, since the content was last changed', async () => {
    const one = await allocated();
    const before = await reported(one, { now: EVENING, start_date: '2029-12-31', end_date: '2030-01-09' });
    const half = { template: { [one.template]: 0.5, [one.other]: 0.5 } };
    expect(before).toEqual({
      days: [
        { date: '2029-12-31', by_results: false, parts: {} },
        { date: TODAY, by_results: false, parts: half },
      ],
      gain: null,
    });
    await putShares(one, TOMORROW, { template: { [one.template]: 700, [one.other]: 300 } });
    const { days } = await reported(one);
    expect(days[1]).toEqual({
      date: TOMORROW,
      by_results: true,
      parts: { template: { [one.template]: 0.7, [one.other]: 0.3 } },
    });
    const later = await reported(one, { start_date: '2030-02-01', end_date: '2030-02-02' });
    expect(later).toEqual({ days: [], gain: null });
  });

  it('measures the gain by the emails at equal shares, of days with shares alone', async () => {
    const one = await allocated();
    for (const day of [TODAY, dayAfter(TODAY, -2)])
      await putShares(one, day, { template: { [one.template]: 700, [one.other]: 300 } });
    await count(one, [
      { day: TODAY, id: one.template, counts: { sent: 500, clicked: 20 } },
      { day: TODAY, id: one.other, counts: { sent: 500, clicked: 10 } },
      { day: TODAY, id: one.template, weighted: true, counts: { sent: 6_300, clicked: 252 } },
      { day: TODAY, id: one.other, weighted: true, counts: { sent: 2_700, clicked: 54 } },
      { day: dayAfter(TODAY, -1), id: one.other, counts: { sent: 5_000, clicked: 1_000 } },
    ]);
    const { gain } = await reported(one, { start_date: '2029-12-01' });
    // 3.4% instead of 3% in nine of ten emails.
    expect(gain?.estimate).toBeCloseTo(0.9 * (0.034 / 0.03 - 1), 3);
    expect(gain?.from).toBeLessThan(0);
  });

  it('of a broadcast there is none', async () => {
    const { sender, automation } = await ready();
    const stored = { ...(await storedAutomation(sender, automation)), id: 'B00000000001' };
    const needs = { table, now: EVENING, hasTimeLeft: () => true };
    const range = { start_date: TODAY, end_date: TODAY };
    await expect(sharesReport(needs, stored, range)).rejects.toMatchObject({ reason: 'not-found' });
  });
});
