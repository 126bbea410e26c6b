import { beforeAll, describe, expect, it } from 'vitest';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import { rebuild } from '#core/operations/rebuild.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sentStore from '#core/recipient/claim.ts';
import type * as journalStore from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as combinationStore from '#core/reporting/combination-report.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import * as reports from '#core/reporting/report.ts';
import { figuresOf, fitting } from '#core/reporting/report.ts';
import * as value from '#core/reporting/value.ts';
import * as sendingLog from '#core/sending/log/log.ts';
import { automationHash, bucketOf, noSums } from '#core/sending/rollup.ts';
import { project, storeLag } from '#core/storage/projection.ts';
import { batchWrite, getAll, type Key, queryPartition } from '#core/storage/table.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import { CombinationQuery, CombinationsQuery } from '#shared/reporting.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { randomFrom } from '#test/simulation/random.ts';
import { asset } from '#test/support/content.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { actingIn, newMember } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { proof } from '#test/support/proof.ts';
import { newSender, REFUSED, UNKNOWN } from '#test/support/sending.ts';
import { forgetShard } from '#test/support/shard.ts';
import { streamOf } from '#test/support/stream.ts';
import { type Counted, peopleFilter, rangeOfDate } from '#web/features/report/periods.ts';

const table = freshTable();
const written = streamOf(table);
const start = new Date('2030-01-31T23:57:30Z');
const end = new Date('2030-02-01T12:00:00Z');
const DAYS = ['2030-01-31', '2030-02-01'];
const random = randomFrom(7);

const MARKS = [
  ['opened_at', 'opened'],
  ['machine_opened_at', 'machine_opened'],
  ['first_clicked_at', 'clicked'],
  ['unsub_clicked_at', 'unsub_clicked'],
  ['unsubscribed_at', 'unsubscribed'],
  ['bounced_at', 'bounced'],
  ['complained_at', 'complained'],
] as const;

let sender: Awaited<ReturnType<typeof newSender>>;
let id: number;
let templates: string[];
let assets: Record<string, string[]>;
/** All claims; nothing happens to them any more. */
let journal: StoredClaim[];
const people = Array.from({ length: 40 }, (_, n) => `reader${n}@example.com`);
let erased: string;
/** What the provider said of each email. */
const accepted = new Set<string>();
const unknown = new Set<string>();
const posted: { at: string; combination: string; value: number }[] = [];

const countAll = async () => {
  for (const { shard, records } of await written()) {
    await project(
      { ...projecting, table, now: end },
      `${shard} ${id}`,
      records.map(record => contributionOf(record)),
    );
  }
};

const ACCEPTED = { kind: 'accepted', provider_id: 'some' } as const;

beforeAll(async () => {
  await forgetShard(table);
  sender = await newSender(table, start);
  id = sender.organization;
  await safeguards.change({ table, now: start }, id, { enabled: false });
  const list = await sender.newList();
  const automation = async (name: string) =>
    (await sender.newAutomation({ name, email_list_ids: [list.id], every_x_days: 1 })).id;
  const [byTemplate, byAssets] = [await automation('templates'), await automation('assets')];
  templates = [];
  for (const name of ['Anna', 'Bea']) templates.push((await sender.newTemplate([byTemplate], { name })).id);
  assets = {};
  const newAsset = async (type: string, fields: object) => {
    const made = NewEmailAsset.parse(asset({ type, automation_ids: [byAssets], ...fields }));
    const { id: made_id } = await emailAssets.create({ table, now: start }, id, made);
    assets[type] = [...(assets[type] ?? []), made_id];
  };
  await newAsset('subject_line', { name: 'Short', value: 'Hi' });
  await newAsset('subject_line', { name: 'Long', value: 'Hello, how are you?' });
  await newAsset('pre_cta_content', { name: null, value: 'Some text' });
  await newAsset('cta_text', { name: 'Go', value: 'Go' });
  await newAsset('cta_url', { name: null, value: 'https://shop.example.com/' });
  await newAsset('footer', { name: null, value: 'Leave: {{UNSUB_LINK}}' });
  const outcomes = Array.from({ length: 40 }, () =>
    people.map(() =>
      random.weighted([
        [6, ACCEPTED],
        [1, UNKNOWN],
        [1, REFUSED],
      ] as const),
    ),
  );
  sender.answers(...outcomes.map(each => [...each]));
  for (const [at, email] of people.entries()) {
    if (at === 25) await sender.run(new Date('2030-02-01T00:00:30Z'));
    await sender.add(list, email);
  }
  await sender.run(new Date('2030-02-01T00:04:30Z'));
  for (const [at, { emails }] of sender.posts.entries()) {
    for (const [place, email] of emails.entries()) {
      const kind = outcomes[at]?.[place]?.kind;
      if (kind === 'accepted') accepted.add(String(email.id));
      if (kind === 'unknown') unknown.add(String(email.id));
    }
  }
  for (const email of people) {
    const key = recipientKey.keyOf(id, email);
    for (const { seq } of await claims(email)) {
      const email_id = recipientKey.sendId(key, seq);
      const isSent = accepted.has(email_id);
      if (unknown.has(email_id) && random.chance(0.5)) {
        await sentStore.storeOutcome(table, key, { seq, outcome: 'sent', as: 'delivered_at', at: '' });
      }
      for (const [as] of isSent ? MARKS : []) {
        if (random.chance(0.4)) await sentStore.markClaim(table, key, { seq, as, at: end.toISOString() });
      }
    }
  }
  const combinations = [...new Set((await everyClaim()).map(({ combination }) => combination))];
  for (let n = 0; n < 30; n++) {
    const at = random.pick([start, end]);
    const emailTemplateCombinationId = random.pick(combinations);
    const amount = random.int(1_000_000) / 10_000;
    const body = { emailTemplateCombinationId, eventId: `order-${n}`, value: amount };
    await value.post({ table, now: at }, id, body);
    posted.push({ at: at.toISOString(), combination: emailTemplateCombinationId, value: amount });
  }
  const isMailed = async (email: string) =>
    (await claims(email)).some(({ seq }) =>
      accepted.has(recipientKey.sendId(recipientKey.keyOf(id, email), seq)),
    );
  // Of those who were mailed last, whichever content that was.
  const mailed = await Promise.all(people.slice(25).map(isMailed));
  const person = people[25 + mailed.indexOf(true)] ?? '';
  await recipient.erase({ table, now: end }, id, person);
  erased = recipientKey.keyOf(id, person).hash;
  await countAll();
  journal = await everyClaim();
}, 60_000);

type StoredClaim = journalStore.Claim & { hash: string };
async function claims(email: string): Promise<StoredClaim[]> {
  const { hash } = recipientKey.keyOf(id, email);
  const items = await queryPartition(table, `R#${id}#${hash}`, 'J#');
  return items
    .filter(({ type }) => type === 'send')
    .map(item => ({ ...(item as unknown as journalStore.Claim), hash }));
}
const everyClaim = async () => (await Promise.all(people.map(claims))).flat();

/** What the journal and the values say, of a combination or of all, on some days. */
type Folded = 'sent' | (typeof MARKS)[number][1];
function fold(of?: string, days = DAYS, claims = journal) {
  const sums = Object.fromEntries(['sent', ...MARKS.map(([, counted]) => counted)].map(name => [name, 0]));
  const add = (counted: Folded) => (sums[counted] = (sums[counted] ?? 0) + 1);
  const isOf = (combination: string, at: string) =>
    (of === undefined || of === combination) && days.includes(at.slice(0, 10));
  for (const claim of claims) {
    if (!isOf(claim.combination, claim.at) || claim.released) continue;
    const key = { organization: id, hash: claim.hash };
    if (accepted.has(recipientKey.sendId(key, claim.seq)) || claim.outcome === 'sent') add('sent');
    for (const [mark, counted] of MARKS) if (claim[mark as keyof StoredClaim]) add(counted);
  }
  const values = posted.filter(({ combination, at }) => isOf(combination, at));
  const tenThousandths = values.reduce((sum, { value }) => sum + Math.round(value * 10_000), 0);
  return { ...(sums as Record<Folded, number>), value: tenThousandths / 10_000 };
}

const needs = { table, now: end, hasTimeLeft: () => true };
const BOTH_DAYS = CombinationsQuery.parse({ start_date: DAYS[0], end_date: DAYS[1] });
const report = (query: object = {}, active = sender.acting) =>
  reports.report(needs, active, CombinationsQuery.parse({ ...BOTH_DAYS, ...query }));
async function detail(of: string, query: object = {}, active = sender.acting) {
  const items = await getAll(table, combinationStore.keysOf(active.organization.id, of));
  const asked = CombinationQuery.parse({ start_date: DAYS[0], end_date: DAYS[1], ...query });
  return combinationStore.reportOf({ table, now: end }, combinationStore.found(active, items), asked);
}

async function expectReportsToEqualTheJournal() {
  const { combinations, totals, left_out } = await report();
  expect(left_out).toBe(0);
  expect(combinations.map(({ id }) => id).sort()).toEqual(
    [...new Set(journal.map(({ combination }) => combination))].sort(),
  );
  expect(totals).toMatchObject(fold());
  for (const row of combinations) {
    const expected = fold(row.id);
    expect(row).toMatchObject(expected);
    const one = await detail(row.id);
    const total = (of: typeof expected) => ({
      total_sent: of.sent,
      total_opened: of.opened,
      total_clicked: of.clicked,
      total_machine_opened: of.machine_opened,
      total_unsub_clicked: of.unsub_clicked,
      total_unsubscribed: of.unsubscribed,
      total_bounced: of.bounced,
      total_complained: of.complained,
      total_conversions: 0,
      value: of.value,
    });
    expect(one).toMatchObject(total(expected));
    expect(one.daily_stats).toEqual(DAYS.map(date => ({ date, ...total(fold(row.id, [date])) })));
    expect(one.previous_stats.map(({ date, total_sent }) => [date, total_sent])).toEqual([
      ['2030-01-29', 0],
      ['2030-01-30', 0],
    ]);
    expect(one.recent_sends).toHaveLength(expected.sent);
    expect(one.recent_sends.filter(({ is_opened }) => is_opened)).toHaveLength(expected.opened);
    expect(one.recent_sends.filter(({ is_clicked }) => is_clicked)).toHaveLength(expected.clicked);
    expect(one.recent_sends_since).toBeNull();
  }
}

/** The automation of templates, and that of assets. */
async function expectComparisonsToEqualTheJournal() {
  const { automations } = await comparisons(needs, sender.acting);
  expect(automations.map(({ automation }) => automation)).toEqual(['assets', 'templates']);
  for (const { automation_id, combinations, parts } of automations) {
    const own = journal.filter(one => one.automation_id === automation_id);
    const ids = [...new Set(own.map(({ combination }) => combination))].sort();
    expect(combinations.rows.map(({ id }) => id).sort()).toEqual(ids);
    for (const { id, sent, clicked } of combinations.rows) {
      const expected = fold(id, DAYS, own);
      expect([sent, clicked]).toEqual([expected.sent, expected.clicked]);
    }
    // Neither sends what the other one does.
    const values = ids.reduce((sum, of) => sum + Math.round(fold(of).value * 10_000), 0) / 10_000;
    const range = { start_date: DAYS[0] ?? '', end_date: DAYS[1] ?? '' };
    const { sent, opened, clicked } = fold(undefined, DAYS, own);
    expect(
      await reports.ofAutomation(needs, { organization_id: id, id: automation_id }, range),
    ).toMatchObject({ sent, opened, clicked, value: values });
    for (const { rows } of parts) {
      expect(rows.map(({ id }) => id).sort()).toEqual([...(assets.subject_line ?? [])].sort());
      const sent = rows.reduce((sum, row) => sum + row.sent, 0);
      expect(sent).toBe(fold(undefined, DAYS, own).sent);
    }
  }
  expect(automations.map(({ parts }) => parts.map(({ part }) => part))).toEqual([['subject_line'], []]);
}

it('report, details and comparisons are what the journal and the values add up to, also when they are counted anew', async () => {
  await expectReportsToEqualTheJournal();
  await expectComparisonsToEqualTheJournal();
  const rollups = (await queryPartition(table, `ORG#${id}#REPORT`)) as unknown as Key[];
  await batchWrite(table, { deletes: rollups.map(({ PK, SK }) => ({ PK, SK })) });
  expect((await report()).combinations).toEqual([]);
  const kept = { PK: `ORG#${id}#CONTENT`, SK: 'COMPARED#', until: '2000-01-01' };
  await batchWrite(table, { puts: [kept] });
  const rebuilding = { table, pause: async () => {}, progress: () => {} };
  for await (const { state } of rebuild(rebuilding, id, { fix: true })) expect(state).toBe('fixed');
  // What is kept for comparisons is computed anew from what was corrected.
  expect(await queryPartition(table, kept.PK, kept.SK)).toEqual([]);
  await expectReportsToEqualTheJournal();
  await expectComparisonsToEqualTheJournal();
});

it('the report of an automation has no opens and no value where another one sent some of the same combinations', async () => {
  const [sent, unknown] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
  const [own, other] = ['own', 'other'].map(automationHash);
  const put = (combination: string, counts: object) => {
    const key = { PK: 'ORG#77#REPORT', SK: `2030-01-31#${bucketOf(combination)}` };
    return batchWrite(table, { puts: [{ ...key, ...counts }] });
  };
  const range = { start_date: '2030-01-31', end_date: '2030-01-31' };
  const found = () => reports.ofAutomation(needs, { organization_id: 77, id: 'own' }, range);
  const counts = { [`s${sent}${own}`]: 2, [`o${sent}`]: 1, [`v${sent}`]: 15_000 };
  await put(sent, counts);
  // Of an email with an unknown outcome, a click alone is counted.
  await put(unknown, { [`c${unknown}${own}`]: 1 });
  const ofItself = { sent: 2, clicked: 1, combinations: 1 };
  expect(await found()).toMatchObject({ ...ofItself, opened: 1, value: 1.5 });
  await put(sent, { ...counts, [`s${sent}${other}`]: 1 });
  expect(await found()).toMatchObject({ ...ofItself, opened: null, value: null });
});

describe('a report', () => {
  it('has the days of its range alone', async () => {
    for (const day of DAYS) {
      const { totals } = await report({ start_date: day, end_date: day });
      expect(totals).toMatchObject(fold(undefined, [day]));
    }
    const before = await report({ start_date: '2029-01-01', end_date: '2030-01-30' });
    expect([before.combinations, before.totals.sent]).toEqual([[], 0]);
    expect((await report({ start_date: '2025-02-02', end_date: '2030-02-02' })).totals).toEqual(
      (await report()).totals,
    );
  });

  it('of the last thirty days is the same day by day, beside those before, with the best combination', async () => {
    const queries: string[] = [];
    const on = intercepted(table, (send, { constructor: { name } }) => {
      queries.push(name);
      return send();
    });
    const performance = await reports.performance({ table: on, now: end }, sender.acting);
    const { days, totals, previous, best, ...rest } = performance;
    // Both months, and what the best combination consists of.
    expect(queries.filter(name => name !== 'BatchGetCommand').sort()).toEqual([
      'GetCommand',
      'QueryCommand',
      'QueryCommand',
    ]);
    expect(queries.length).toBeLessThanOrEqual(7);
    const { combinations } = await report({ start_date: '2030-01-03', end_date: '2030-02-01' });
    const { subject_line, ...found } = best ?? { subject_line: null };
    expect(combinations).toContainEqual(expect.objectContaining({ id: expect.any(String), ...found }));
    expect(subject_line).toEqual(expect.any(String));
    expect(previous).toEqual((await report({ start_date: '2029-12-04', end_date: '2030-01-02' })).totals);
    expect(rest).toEqual({ start_date: '2030-01-03', end_date: '2030-02-01', counted_until: null });
    expect(totals).toEqual((await report({ start_date: '2030-01-03', end_date: '2030-02-01' })).totals);
    expect(days).toHaveLength(30);
    for (const day of days) {
      const { sent, opened, clicked, value } = fold(undefined, [day.date]);
      expect(day).toEqual({ date: day.date, sent, opened, clicked, value });
    }
    // An hour after midnight it is another day.
    const tomorrow = await reports.performance(
      { table, now: new Date('2030-03-02T01:00:00Z') },
      sender.acting,
    );
    expect(tomorrow.totals).toMatchObject(fold(undefined, ['2030-02-01']));
  });

  it('by day has the days of its range and as many before, and a long one its months', async () => {
    const stats = async (start_date: string, end_date: string) =>
      reports.byDay(needs, id, { start_date, end_date });
    const sentIn = (rows: { date: string; total_sent: number; value: number }[]) =>
      rows.map(({ date, total_sent, value }) => ({ date, sent: total_sent, value }));
    const counted = (date: string, days = [date]) => {
      const { sent, value } = fold(undefined, days);
      return { date, sent, value };
    };
    const one = await stats('2030-02-01', '2030-02-01');
    expect(one).toMatchObject({ start_date: '2030-02-01', stats_by: 'day', counted_until: null });
    expect(sentIn(one.daily_stats)).toEqual([counted('2030-02-01')]);
    expect(sentIn(one.previous_stats)).toEqual([counted('2030-01-31')]);
    const { daily_stats, previous_stats } = await stats('2030-02-01', '2030-02-03');
    expect(previous_stats.map(({ date }) => date)).toEqual(['2030-01-29', '2030-01-30', '2030-01-31']);
    expect(daily_stats).toHaveLength(3);
    const months = await stats('2029-01-31', '2030-02-01');
    expect([months.stats_by, months.daily_stats.length, months.previous_stats]).toEqual(['month', 14, []]);
    expect(sentIn(months.daily_stats.slice(-2))).toEqual([
      counted('2030-01', ['2030-01-31']),
      counted('2030-02', ['2030-02-01']),
    ]);
    const late = reports.byDay({ ...needs, hasTimeLeft: () => false }, id, months);
    await expect(late).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('names the automations that sent each combination', async () => {
    const { combinations, automation_names } = await report();
    expect(Object.values(automation_names).sort()).toEqual(['assets', 'templates']);
    for (const { type, automation_ids } of combinations) {
      const name = type === 'template' ? 'templates' : 'assets';
      expect(automation_ids.map(one => automation_names[one])).toEqual([name]);
    }
  });

  it('shows rates as percentages, and values by email and click', async () => {
    const { combinations } = await report();
    for (const row of combinations) {
      expect(row.open_rate).toBe(`${((row.opened / row.sent) * 100).toFixed(2)}%`);
      expect(Math.abs(row.value_per_send - row.value / row.sent)).toBeLessThan(0.000_051);
      expect(Math.abs(row.value_per_click - row.value / row.clicked)).toBeLessThan(0.000_051);
    }
  });

  it.each(['id', 'sent', 'clicked', 'value', 'value_per_click'] as const)('is sorted by %s', async by => {
    const of = async (sort_direction: string) =>
      (await report({ sort_by: by, sort_direction })).combinations.map(row => row[by]);
    const ascending = await of('asc');
    const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
    expect(ascending).toEqual([...ascending].sort(compare));
    expect(await of('desc')).toEqual([...ascending].reverse());
  });

  it('names templates, and assets by those that have a name, with their parts', async () => {
    const { combinations, asset_names } = await report();
    const anna = combinations.find(({ id }) => id === templates[0]);
    expect(anna).toMatchObject({
      combination: 'Anna',
      template_name: 'Anna',
      type: 'template',
      template_id: templates[0],
      is_active: true,
      is_deleted: false,
      can_edit: true,
      asset_ids: {},
      assets: { subject_line: 'Welcome aboard', after_cta_content: null },
    });
    const short = combinations.find(({ combination }) => combination === 'Short / Go');
    expect(short).toMatchObject({
      type: 'asset',
      template_id: null,
      template_name: null,
      can_edit: false,
      is_active: true,
      asset_ids: { subject_line: assets.subject_line?.[0], footer: assets.footer?.[0] },
      assets: { subject_line: 'Hi', preheader: null, cta_url: 'https://shop.example.com/' },
    });
    const { subject_line = '', cta_text = '', footer = '' } = short?.asset_ids ?? {};
    expect(asset_names).toMatchObject({ [subject_line]: 'Short', [cta_text]: 'Go' });
    expect(asset_names).not.toHaveProperty(footer);
  });

  it('lets managers and the owner of a template pause it, and no other user', async () => {
    const as = async (role: 'ADMIN' | 'USER') =>
      actingIn(table, (await newMember(table, end, id, role)).id, id);
    const mayPause = async (active: typeof sender.acting) => [
      (await report({}, active)).combinations.some(({ can_edit }) => can_edit),
      (await detail(String(templates[0]), {}, active)).combination.can_edit,
    ];
    const user = await as('USER');
    expect(await mayPause(await as('ADMIN'))).toEqual([true, true]);
    expect(await mayPause(user)).toEqual([false, false]);
    const items = await getAll(table, emailTemplates.keysOf(id, String(templates[0])));
    const template = await emailTemplates.found({ table }, sender.acting, items);
    await emailTemplates.handOver({ table, now: end }, sender.acting, template, user.membership.user_id);
    expect(await mayPause(user)).toEqual([true, true]);
  });

  it('keeps rows, names and texts of what is deleted', async () => {
    const [, bea = ''] = templates;
    const items = await getAll(table, emailTemplates.keysOf(id, bea));
    const template = await emailTemplates.found({ table }, sender.acting, items);
    await emailTemplates.remove({ table, now: end }, template);
    const [subject = ''] = assets.subject_line ?? [];
    const found = emailAssets.found(await getAll(table, emailAssets.keysOf(id, subject)));
    await emailAssets.remove({ table, now: end }, found);
    const { combinations } = await report();
    const deleted = { is_deleted: true, is_active: false, can_edit: false };
    const rowOf = (name: string) => combinations.find(({ combination }) => combination === name);
    expect(rowOf('Bea')).toMatchObject({ ...deleted, assets: { subject_line: 'Welcome aboard' } });
    expect(rowOf('Short / Go')).toMatchObject({ ...deleted, assets: { subject_line: 'Hi' } });
    expect(rowOf('Long / Go')).toMatchObject({ is_deleted: false, is_active: true });
    expect((await detail(bea)).combination).toMatchObject({ ...deleted, name: 'Bea' });
  });

  it('says since when nothing is counted, where the projector has noticed that it is behind', async () => {
    const at = (seconds: number) => new Date(end.getTime() + seconds * 1000);
    const counted = async (seconds: number) =>
      (await reports.report({ ...needs, now: at(seconds) }, sender.acting, BOTH_DAYS)).counted_until;
    const note = (shard: string, seconds: number, oldest: number) =>
      storeLag({ table, now: at(seconds) }, shard, at(oldest));
    await note('one', 0, -59);
    expect(await counted(0)).toBeNull();
    await note('one', 0, -300);
    await note('two', 5, -200);
    expect(await counted(5)).toBe(at(-300).toISOString());
    // The one has come nearer than the other.
    await note('one', 10, -100);
    await note('two', 15, -190);
    expect(await counted(20)).toBe(at(-190).toISOString());
    expect(await counted(15 + 180)).not.toBeNull();
    expect(await counted(15 + 181)).toBeNull();
  });

  it('refuses what takes too long to read', async () => {
    const late = reports.report({ ...needs, hasTimeLeft: () => false }, sender.acting, BOTH_DAYS);
    await expect(late).rejects.toMatchObject({ reason: 'invalid' });
  });
});

it('each number leads to as many emails in the log', async () => {
  const found = async (counted: Counted) => {
    const ids: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const query = { ...peopleFilter(counted), per_page: 100, after };
      const { data, meta } = await sendingLog.page({ table, now: end }, id, EmailSendsQuery.parse(query));
      ids.push(...data.map(send => send.id));
      after = meta.next;
    }
    expect(new Set(ids).size).toBe(ids.length);
    return ids.length;
  };
  const statuses = ['sent', 'opened', 'machine_opened', 'clicked', 'unsub_clicked', 'unsubscribed'] as const;
  const whole = { start_date: '2029-01-15', end_date: '2030-02-14' };
  const { totals, combinations } = await report(whole);
  for (const status of statuses) {
    expect([status, await found({ status, range: whole })]).toEqual([status, totals[status]]);
    for (const row of combinations) {
      expect(await found({ combination: row.id, status, range: whole })).toBe(row[status]);
    }
  }
  const [{ id: combination } = { id: '' }] = combinations;
  for (const range of [{ start_date: '2030-01-30', end_date: '2030-02-01' }, whole]) {
    const { daily_stats, recent_sends } = await detail(combination, range);
    const sent = daily_stats.reduce((sum, day) => sum + day.total_sent, 0);
    const times = recent_sends.map(({ sent_at }) => sent_at);
    expect([times.length, times]).toEqual([sent, times.toSorted().toReversed()]);
    for (const day of daily_stats.slice(-3)) {
      const ofDay = await detail(combination, rangeOfDate(day.date, range));
      expect(ofDay.recent_sends).toHaveLength(day.total_sent);
      for (const status of statuses) {
        const counted = { combination, status, range: rangeOfDate(day.date, range) };
        expect([day.date, status, await found(counted)]).toEqual([day.date, status, day[`total_${status}`]]);
      }
    }
  }
});

describe('a detail', () => {
  it('shows its newest emails, of erased people without an address', async () => {
    const combinations = [...new Set(journal.map(({ combination }) => combination))];
    const details = await Promise.all(combinations.map(of => detail(of)));
    const sends = details.flatMap(({ recent_sends }) => recent_sends);
    const theirs = sends.filter(({ id }) => id.startsWith(erased));
    expect(theirs.length).toBeGreaterThan(0);
    for (const send of theirs) expect(send).toMatchObject({ recipient: 'Deleted', list_member_id: null });
    const others = sends.filter(send => !theirs.includes(send));
    for (const other of others) expect(other.email_list).toBe('Readers');
    expect(others.map(({ recipient }) => recipient).filter(email => !people.includes(email))).toEqual([]);
    expect(new Set(others.map(({ automation }) => automation))).toEqual(new Set(['templates', 'assets']));
  });

  it('shows a long range by month', async () => {
    const range = { start_date: '2029-01-15', end_date: '2030-02-14' };
    const { stats_by, daily_stats } = await detail(String(templates[0]), range);
    expect([stats_by, daily_stats.length, daily_stats[0]?.date]).toEqual(['month', 14, '2029-01']);
    const [january, february] = DAYS.map(day => fold(templates[0], [day]));
    expect(daily_stats.slice(-2)).toMatchObject([
      { date: '2030-01', total_sent: january?.sent, value: january?.value },
      { date: '2030-02', total_sent: february?.sent, value: february?.value },
    ]);
  });

  it('is of any kind, whatever type it is asked as', async () => {
    expect((await detail(String(templates[0]), { type: 'asset' })).type).toBe('template');
  });

  it('exists for a template without sends, and for nothing unknown or foreign', async () => {
    const { id: unsent } = await sender.newTemplate([], { name: 'Cleo' });
    const nothing = { total_sent: 0, recent_sends: [], combination: { name: 'Cleo' } };
    expect(await detail(unsent)).toMatchObject(nothing);
    const other = await newSender(table, end);
    await expect(detail(unsent, {}, other.acting)).rejects.toMatchObject({ reason: 'not-found' });
    const subject = String(assets.subject_line?.[1]);
    for (const of of ['000000000000', '', '#', subject]) {
      await expect(detail(of)).rejects.toMatchObject({ reason: 'not-found' });
    }
  });
});

describe('many combinations', () => {
  const many = (count: number, content: string) => {
    const part_ids = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'footer'] as const;
    const asset_ids = Object.fromEntries(part_ids.map(part => [part, '0123456789ab']));
    const texts = { preheader: null, after_cta_content: null };
    const rows = Array.from({ length: count }, (_, n) => {
      const sums = { ...noSums(), sent: 1_000, opened: 300, clicked: 41, value: 12_345_678 };
      return {
        id: String(n).padStart(12, '0'),
        type: 'asset' as const,
        template_id: null,
        template_name: null,
        combination: 'Short / Go',
        is_active: true,
        is_deleted: false,
        can_edit: false,
        asset_ids,
        asset_names: Object.fromEntries(part_ids.map(part => [part, 'The name of an asset'])),
        ...figuresOf(sums),
        value_per_send_range: null,
        automation_ids: ['abcdefghijkl'],
        assets: { ...texts, ...Object.fromEntries(part_ids.map(part => [part, content])) } as PartTexts,
      };
    });
    const automation_names = { abcdefghijkl: 'x'.repeat(200_000) };
    const { rows: answered, asset_names, texts_cut_at } = fitting(rows, automation_names);
    expect(asset_names).toEqual({ '0123456789ab': 'The name of an asset' });
    // As Lambda answers it.
    const bytes = Buffer.byteLength(JSON.stringify({ body: JSON.stringify({ answered, automation_names }) }));
    expect(bytes).toBeLessThan(6 * 1024 * 1024);
    return { count: answered.length, texts_cut_at, text: answered[0]?.assets.footer };
  };

  it('are answered with their whole texts where there is room', () => {
    const text = 'x'.repeat(10_000);
    expect(many(100, text)).toEqual({ count: 100, texts_cut_at: null, text });
  });

  proof('are answered with shorter texts where there is not, and all of 5,000', () => {
    const { texts_cut_at, ...answer } = many(5_000, '語'.repeat(1_000));
    expect(texts_cut_at).toBeGreaterThan(0);
    expect(answer).toEqual({ count: 5_000, text: `${'語'.repeat(texts_cut_at ?? 0)}…` });
    expect(many(5_000, '😀'.repeat(1_000)).text).toMatch(/^(😀)*…$/u);
  });

  it('are left out beyond 5,000', () => {
    expect(many(5_001, 'x')).toMatchObject({ count: 5_000, texts_cut_at: null });
  });
});

describe('the question for a report', () => {
  const messages = (query: object) =>
    CombinationsQuery.safeParse(query).error?.issues.map(({ path, message }) => [path.join('.'), message]) ??
    [];
  const range = (start_date: string, end_date: string) => messages({ start_date, end_date });
  const SELECT = 'Please select both start and end dates';

  it('needs both dates', () => {
    expect(messages({})).toEqual([
      ['start_date', SELECT],
      ['end_date', SELECT],
    ]);
    expect(messages({ start_date: '2030-01-01', end_date: '' })).toEqual([['end_date', SELECT]]);
  });

  it.each([
    '2030-02-30',
    '2030-13-01',
    '2030-1-1',
    '2030-01-01T00:00:00Z',
    '+002030-01-01',
    'today',
    '0x10',
    "'",
  ])('refuses what is no day: %s', day => {
    const error = 'start_date must be a date, written as yyyy-MM-dd';
    expect(range(day, '2030-01-01')).toEqual([['start_date', error]]);
  });

  it('takes a day, and up to five years, and nothing reversed or longer', () => {
    expect(range('2030-01-01', '2030-01-01')).toEqual([]);
    expect(range('2025-01-01', '2030-01-01')).toEqual([]);
    expect(range('2028-02-29', '2033-02-28')).toEqual([]);
    expect(range('2030-01-02', '2030-01-01')).toEqual([
      ['end_date', 'The end date must not be before the start date'],
    ]);
    expect(range('2025-01-01', '2030-01-02')).toEqual([['end_date', 'A report covers 5 years at most']]);
    expect(range('0000-01-01', '9999-12-31')).toEqual([
      ['end_date', 'A report covers days of the years 2000 to 2999'],
    ]);
  });

  it('takes the orders of the specification, and no other', () => {
    const sorted = (sort_by: string, sort_direction = 'asc') =>
      messages({ start_date: '2030-01-01', end_date: '2030-01-01', sort_by, sort_direction });
    for (const by of [
      'id',
      'sent',
      'opened',
      'clicked',
      'unsubscribed',
      'open_rate',
      'click_rate',
      'unsubscribe_rate',
      'value',
      'value_per_send',
      'value_per_click',
    ]) {
      expect(sorted(by)).toEqual([]);
    }
    expect(sorted('combination')[0]?.[0]).toBe('sort_by');
    expect(sorted('sent', 'down')).toEqual([['sort_direction', 'sort_direction must be asc or desc']]);
  });
});
