import { expect, it } from 'vitest';
import { type DueRule, isStarted, rulesFor } from '#core/automation/due/occurrences.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import { type ImportRow, importWriter, readImportRows } from '#core/list/member-import/rows.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { explain } from '#core/person/explanation.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { backfill, type StoredMember } from '#core/sending/backfill.ts';
import { ofImport } from '#core/sending/forecast/forecast.ts';
import type { Pack } from '#core/sending/pack.ts';
import { getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { NewImport } from '#shared/member-import.ts';
import { dateIn } from '#shared/metadata.ts';
import { crashing } from '#test/support/crash.ts';
import { deliveries, start, timeAfter } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, reasons, storedAutomation } = deliveries();

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const email = (name: string) => `${name}@example.com`;

/** Imports people with these dates at the start; the clock is at the start. */
async function imported(members: Record<string, string>, fields: object = {}) {
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  const of = { organization: sender.organization, user: 'u', role: 'OWNER' as const };
  const file = NewImport.parse({
    file_name: 'people.csv',
    size: 100,
    fingerprint: 'f'.repeat(64),
    total_rows: Object.keys(members).length,
    columns: columnsOf('email', 'ends'),
    consent: { source: 'Sign-up form' },
    ...fields,
  });
  const rows = Object.entries(members).map(([name, ends]) => [email(name), ends]);
  const needs = { table, now: start, ...of, hasTimeLeft: () => true };
  const { id } = await memberImport.create(needs, readers, file);
  const keys = memberImport.keysOf(sender.organization, id, { list: readers.id });
  const stored = async () => memberImport.found(id, await getAll(table, keys));
  const send = async (on: Table = table, now = start) =>
    memberImport.addRows({ ...needs, table: on, now }, readers, await stored(), { from: 1, rows });
  const find = (name: string) =>
    listMember.find(
      { table },
      sender.organization,
      recipientKey.memberId(readers.id, recipientKey.hashOf(email(name))),
    );
  const automation = async (of: object = {}) => {
    const made = await sender.newAutomation({
      email_list_ids: [readers.id],
      metadata_trigger: 'ends',
      ...of,
    });
    await sender.newTemplate([made.id]);
    return storedAutomation(sender, made.id);
  };
  const why = async (name: string, id: string) => {
    const { obstacles, next, past } = await explain(
      { table, now: sender.now },
      await find(name),
      await storedAutomation(sender, id),
    );
    return { obstacles, next: next?.due_at, past: past.map(({ status }) => status) };
  };
  /** By the first of these rows, for all of them. */
  const predicted = async (some = rows.length) => {
    const sample = { ...file, rows: rows.slice(0, some), of: rows.length };
    const tried = await memberImport.tryMembers(needs, readers, sample);
    return ofImport(needs, sender.organization, tried, sample);
  };
  return { sender, readers, send, find, automation, why, predicted };
}

const columnsOf = (...names: string[]) =>
  names.map((name, position) =>
    position ? { position, name, to: 'metadata', key: name } : { position, name, to: 'email' },
  );

const NOTHING = { start_nothing: true };
const mailed = ({ mailedTo }: { mailedTo: () => string[] }) =>
  mailedTo().map(to => to.replace('@example.com', ''));

it('an import that starts nothing leaves out dates until then for good, and no skip is in the log', async () => {
  const members = {
    ann: '2029-12-01T10:02:00Z',
    ben: '2030-01-01T10:02:00Z',
    cay: '',
    dan: '',
    eve: '2028-12-01T10:02:00Z',
  };
  const { sender, readers, automation, send, find, why } = await imported(members, NOTHING);
  // Dan has left the list, and comes again by the import.
  await sender.add(readers, email('dan'));
  await listMember.remove({ table, now: start }, await find('dan'));
  await send();
  const daily = await automation();
  const welcome = await automation({ metadata_trigger: null, repeat: 'once' });
  const yearly = await automation({ repeat: 'yearly' });
  await sender.run(timeAfter(6 * 60_000));
  sender.at(timeAfter(DAY));
  await sender.run(timeAfter(DAY + 6 * 60_000));
  expect(mailed(sender)).toEqual(['ben', 'ben']);
  expect(await reasons(sender)).toEqual([]);
  expect(await why('ann', daily.id)).toEqual({
    obstacles: ['starts_nothing'],
    next: undefined,
    past: ['starts_nothing', 'starts_nothing'],
  });
  expect(await why('ben', welcome.id)).toMatchObject({ obstacles: ['starts_nothing'] });
  expect(await why('ben', daily.id)).toMatchObject({ obstacles: [], past: ['sent', 'sent'] });
  // Of two anniversaries, the first one is left out alone.
  expect(await why('eve', yearly.id)).toEqual({ obstacles: [], next: '2030-12-01T10:02:00.000Z', past: [] });
});

it('what a check predicts by automation is what the import leads to within 30 days', async () => {
  const people = {
    // Due within minutes, half an hour ago, later today, in three weeks, never.
    ann: '2029-12-01T10:02:00Z',
    ben: '2029-12-01T09:30:00Z',
    cay: '2030-01-20T10:03:00Z',
    dan: '2029-12-20T10:04:00Z',
    eve: '2029-12-20T10:04:00Z',
    fay: '',
  };
  const { sender, readers, automation, send, find, predicted } = await imported(people);
  sender.at(timeAfter(-DAY));
  // Dan gets another date by the import, and nothing of eve changes.
  await sender.add(readers, email('dan'), { ends: '2029-12-19T10:01:00Z' });
  await sender.add(readers, email('eve'), { ends: people.eve });
  await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
  const daily = await automation({ every_x_days: 5, delay_days: 1 });
  const welcome = await automation({ metadata_trigger: null, repeat: 'once', name: 'hello' });
  sender.at(start);
  await sender.sweep();
  sender.queue.length = 0;
  const forecast = await predicted();
  const stored = await Promise.all(['dan', 'eve'].map(find));
  await send();
  const members = await Promise.all(Object.keys(people).map(find));
  const records = members.map(({ key, state: { membership } }, at): StoredMember => {
    const before = stored.find(one => one.key.hash === key.hash)?.state.membership;
    return { ...key, membership, before, written: start, sequence: String(at) };
  });
  const queue = async (packs: Pack[]) =>
    void packs.map(pack => sender.queue.push({ pack, at: start.getTime() }));
  await backfill({ table, now: timeAfter(61_000), queue }, records);
  for (let day = 0; day <= 30; day++) {
    sender.at(timeAfter(day * DAY));
    await sender.run(timeAfter(day * DAY + (day < 30 ? 7 * 60_000 : 20_000)));
  }
  const sent = { [daily.id]: 0, [welcome.id]: 0 };
  const eves = recipientKey.hashOf(email('eve'));
  for (const { key } of members.filter(({ key }) => key.hash !== eves)) {
    for (const { type, automation_id } of await queryPartition(
      table,
      `R#${key.organization}#${key.hash}`,
      'J#',
    )) {
      if (type === 'send') sent[String(automation_id)] = (sent[String(automation_id)] ?? 0) + 1;
    }
  }
  expect(Object.fromEntries(forecast.automations.map(one => [one.id, one.next_30_days]))).toEqual(sent);
  expect(sent[welcome.id]).toBe(4);
  expect(sent[daily.id]).toBeGreaterThan(10);
  expect(forecast).toMatchObject({ sampled: null, next_30_days: 4 + (sent[daily.id] ?? 0) });
});

it('a check predicts the emails of the last hour and later that other time zones of members lead to', async () => {
  const zones = { ann: 'Pacific/Honolulu', ben: 'Pacific/Pago_Pago', cay: 'Europe/London' };
  const columns = columnsOf('email', 'zone');
  const { sender, readers, automation, predicted } = await imported(zones, { columns });
  // By UTC it was due last night, before they were added.
  sender.at(timeAfter(-HOUR));
  for (const name of Object.keys(zones)) await sender.add(readers, email(name), { ends: '2029-12-31' });
  const { id } = await automation({ repeat: 'once', send_at: '23:30', time_zone_of: 'member' });
  expect((await predicted()).automations).toMatchObject([{ id, next_24_hours: 2, next_30_days: 2 }]);
});

it('a check predicts what a change adds for each person, and neither what they get anyway nor what was due before it', async () => {
  const dates = {
    // Due within days; half an hour ago; from this minute on; and exactly a day later.
    ann: '2030-01-05T08:00:00Z',
    ben: '2030-01-01T09:30:00Z',
    cay: '2030-01-01T09:56:10Z',
    dan: '2030-01-02T09:56:10Z',
  };
  const columns = columnsOf('email', 'plan');
  const people = Object.fromEntries(Object.keys(dates).map(name => [name, 'pro']));
  const { sender, readers, automation, predicted } = await imported(people, { columns });
  sender.at(timeAfter(-DAY));
  for (const [name, ends] of Object.entries(dates)) await sender.add(readers, email(name), { ends });
  const made = (name: string, fields: object) => automation({ name, repeat: 'once', ...fields });
  const [pro, free] = ['is', 'is_not'].map(op => ({ all: [{ field: 'plan', op, value: 'pro' }] }));
  // The first one holds back the second one, until the import ends it; then that holds back the third one.
  await made('free', { audience: free });
  const second = await made('second', { delay_minutes: 2 });
  await made('third', { audience: pro, delay_minutes: 3 });
  await made('anyway', { delay_days: 1 });
  const later = await made('later', { audience: pro, delay_days: 2 });
  const latest = await made('a_last_one', { audience: pro, delay_days: 3 });
  expect((await predicted()).automations).toEqual([
    { id: latest.id, name: 'a_last_one', next_24_hours: 0, next_30_days: 4 },
    { id: later.id, name: 'later', next_24_hours: 0, next_30_days: 4 },
    { id: second.id, name: 'second', next_24_hours: 1, next_30_days: 3 },
  ]);
});

it('a check predicts nothing for an import that starts nothing, and of a sample what holds for all', async () => {
  const people = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`p${at}`, '2029-12-01T10:02:00Z']));
  const { automation, predicted } = await imported(people);
  await automation({ metadata_trigger: null, repeat: 'once' });
  expect(await predicted()).toMatchObject({ next_24_hours: 8, next_30_days: 8, sampled: null });
  expect(await predicted(4)).toMatchObject({ next_24_hours: 8, sampled: { people: 4, of: 8, margin: 0 } });
  const quiet = await imported(people, NOTHING);
  const { id: elsewhere } = await quiet.sender.newList();
  await quiet.automation({ metadata_trigger: null, repeat: 'once', email_list_ids: [elsewhere] });
  expect(await quiet.predicted(4)).toMatchObject({ next_30_days: 0, sampled: null });
  await quiet.automation({ metadata_trigger: null, repeat: 'once' });
  expect(await quiet.predicted()).toMatchObject({ next_30_days: 0, automations: [], sampled: null });
  expect(await quiet.predicted(4)).toMatchObject({ next_30_days: 0, sampled: { margin: 6 } });
});

it('repeated rows, a process that dies and later changes keep the mark of an import that starts nothing', async () => {
  const { sender, readers, automation, send, find } = await imported(
    { ann: '2029-12-01T10:02:00Z' },
    NOTHING,
  );
  await expect(send(crashing(table, { at: 5, how: 'after' }))).rejects.toThrow();
  await send(table, timeAfter(60_000));
  await send(table, timeAfter(60_000));
  await automation();
  const marked = (await find('ann')).state.membership.added_by;
  expect(marked).toMatchObject({ row: 1, starts_after: start.toISOString() });
  await listMember.change({ table, now: timeAfter(90_000) }, await find('ann'), {
    metadata: { plan: 'pro' },
  });
  expect((await find('ann')).state.membership.added_by).toEqual(marked);
  await sender.run(timeAfter(6 * 60_000));
  expect(mailed(sender)).toEqual([]);
  // A later date starts anew.
  await listMember.change({ table, now: sender.now }, await find('ann'), {
    metadata: { ends: '2030-01-01T10:10:00Z' },
  });
  await sender.run(timeAfter(14 * 60_000));
  expect(mailed(sender)).toEqual(['ann']);
  expect(readers.id).toBe((await find('ann')).list.id);
});

it.each(['pro', 'free'])('another file, where the plan of a free member is %s, keeps that mark', plan => {
  const columns = [
    { position: 0, name: 'email', to: 'email' as const },
    { position: 1, name: 'plan', to: 'metadata' as const, key: 'plan' },
  ];
  const how = { columns, mode: 'update' as const, as: 'subscribed' as const };
  const at = start.toISOString();
  const added_by = { import: 'first', row: 1, starts_after: at };
  const marks = { added_by, import: { id: 'first', row: 1, at }, created_at: at, updated_at: at };
  const ann = { list_id: 'readers', email: email('ann'), metadata: { plan: 'free' }, revision: '1' };
  const state = {
    head: undefined,
    membership: { ...ann, ...marks, status: 'subscribed' as const },
    left: undefined,
  };
  const { accepted } = readImportRows(how, 1, [[ann.email, plan]]);
  const writer = importWriter(timeAfter(DAY), { ...how, id: 'second', list_id: 'readers' });
  const change = writer.decide(accepted[0] as ImportRow, state, state);
  expect(change?.membership?.added_by).toEqual({ ...added_by, stays: true });
});

it('an import that changes a member marks nothing', async () => {
  const { sender, readers, send, find } = await imported({ ann: '2029-12-01T10:02:00Z' }, NOTHING);
  await sender.add(readers, email('ann'), { plan: 'pro' });
  await send();
  expect((await find('ann')).state.membership).toMatchObject({
    metadata: { plan: 'pro' },
    import: { row: 1 },
  });
  expect((await find('ann')).state.membership.added_by).toBeUndefined();
});

const NEW_YORK = { organization: { time_zone: 'America/New_York' }, list: undefined };
it.each([
  // A date, a schedule, the number of the occurrence from 0, the instant of the import, and whether the email is owed.
  ['2030-01-01', {}, 3, '2030-01-01T00:00:00.000Z', false],
  ['2030-01-01T10:00:00Z', { repeat: 'once' }, 0, '2030-01-01T10:00:00.500Z', false],
  ['1990-03-05', { repeat: 'yearly', delay_days: 10 }, 39, '2030-03-05T00:00:00.000Z', false],
  ['1990-03-05', { repeat: 'yearly', delay_days: 10 }, 40, '2030-03-05T00:00:00.000Z', true],
  // What goes before the anniversaries goes before the date itself too.
  ['1990-03-05', { repeat: 'yearly', delay_days: -3 }, 40, '2030-03-05T00:00:00.000Z', false],
  ['1990-03-05', { repeat: 'yearly', delay_days: -3 }, 40, '2030-03-04T23:59:59.000Z', true],
  // By the clock of the zone, the anniversary begins five hours later.
  ['1990-03-05', { repeat: 'yearly', send_at: '09:00' }, 39, '2030-03-05T04:59:59.000Z', true],
  ['1990-03-05', { repeat: 'yearly', send_at: '09:00' }, 39, '2030-03-05T05:00:00.000Z', false],
])(
  'of the date %s with %j, occurrence %i after an import at %s: %s',
  (date, schedule, k, starts_after, isOwed) => {
    const plain = { id: 'a', metadata_trigger: 'd', every_x_days: 1, delay_days: 0, stop_after_days: null };
    const rule = rulesFor({ ...plain, ...schedule } as DueRule, NEW_YORK)(undefined);
    expect(isStarted({ added_by: { starts_after } }, dateIn(date) as Date, rule, { k })).toBe(isOwed);
    expect(isStarted({ added_by: {} }, dateIn(date) as Date, rule, { k })).toBe(true);
  },
);
