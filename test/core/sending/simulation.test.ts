import { describe, expect, it } from 'vitest';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { addMember, inSmallPages, newLists, setSubscribed } from '#test/support/core-automation.ts';
import { found } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { unstored } from '#test/support/unstored.ts';

const table = freshTable({ anyItems: true });
const noon = new Date('2026-03-01T12:00:00Z');

const run = (automation: StoredAutomation, now = noon, on: Table = table, hasTimeLeft = () => true) =>
  simulate({ table: on, now, hasTimeLeft }, automation);

describe('a simulation', () => {
  it('answers 100 samples, the earliest, and says where there are more', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
    const automation = unstored(of.organization_id, { email_list_ids: [of.id], name: 'daily' });
    const people = (from: number, until: number) =>
      Array.from({ length: until - from }, (_, i) => ({ email: `reader${from + i}@example.com` }));
    const add = (now: Date, rows: { email: string }[]) => listMember.upsertAll({ table, now }, of, rows);
    await add(new Date('2026-02-20T11:59:30Z'), people(0, 3));
    await add(new Date('2026-02-20T12:00:30Z'), people(3, 100));
    expect(await run(automation)).toMatchObject({
      automation: 'daily',
      total_count: 100,
      count: 100,
      limited: false,
      max_results: 100,
    });
    await add(new Date('2026-02-20T12:01:30Z'), people(100, 101));
    const simulation = await run(automation);
    expect(simulation).toMatchObject({ total_count: 101, count: 100, limited: true });
    const times = simulation.sample_emails.map(({ scheduled_time }) => scheduled_time);
    expect(times.slice(96, 100)).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:01:00.000Z',
      '2026-03-02T11:59:00.000Z',
      '2026-03-02T11:59:00.000Z',
    ]);
  });

  it('shows a member, their date as they have it, and the whole days since', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
    await listMember.upsertAll({ table, now: new Date('2026-02-27T13:30:59Z') }, of, [
      { email: 'ann@example.com', starts: '2026-02-26 19:15:40+05:30' },
    ]);
    const sample = async (metadata_trigger: string | null) =>
      (await run(unstored(of.organization_id, { email_list_ids: [of.id], metadata_trigger }))).sample_emails;
    const ann = {
      list_member_id: recipientKey.memberId(of.id, recipientKey.hashOf('ann@example.com')),
      email: 'ann@example.com',
      list_name: 'A',
    };
    expect(await sample('starts')).toEqual([
      {
        ...ann,
        scheduled_time: '2026-03-01T13:45:00.000Z',
        held_since: null,
        trigger_column: 'starts',
        trigger_value: '2026-02-26 19:15:40+05:30',
        days_since_trigger: 3,
      },
    ]);
    expect(await sample(null)).toEqual([
      {
        ...ann,
        scheduled_time: '2026-03-01T13:30:00.000Z',
        held_since: null,
        trigger_column: null,
        trigger_value: '2026-02-27T13:30:59.000Z',
        days_since_trigger: 2,
      },
    ]);
  });

  it('has all hours of the window, the first and the last in part', async () => {
    const hours = async (time: string) =>
      (await run(unstored(1, {}), new Date(`2026-03-01T${time}Z`))).hourly_summary.map(({ hour }) => hour);
    const whole = await hours('12:00:59');
    expect([whole.length, whole[0], whole.at(-1)]).toEqual([
      24,
      '2026-03-01T12:00:00.000Z',
      '2026-03-02T11:00:00.000Z',
    ]);
    const parts = await hours('12:01:00');
    expect([parts.length, parts.at(-1)]).toEqual([25, '2026-03-02T12:00:00.000Z']);
  });

  it('counts whom it leaves out: without a date, with one that cannot be read, and rows that lead to nobody', async () => {
    const [of] = (await newLists(table, noon, ['A'])) as [list.CountedList];
    const date = '2026-02-20T15:00:00Z';
    await listMember.upsertAll({ table, now: noon }, of, [
      { email: 'ann@example.com', starts: date },
      { email: 'ben@example.com' },
      { email: 'cleo@example.com' },
      { email: 'dan@example.com', starts: date },
      { email: 'eve@example.com', is_subscribed: false, starts: date },
    ]);
    await setSubscribed(table, of, 4);
    const key = (email: string) => ({
      PK: `R#${of.organization_id}#${recipientKey.hashOf(email)}`,
      SK: `IN#${of.id}`,
    });
    const corrupt = async (email: string, metadata: object) => {
      const [before] = await recipientStore.memberships(
        table,
        [recipientKey.keyOf(of.organization_id, email)],
        of.id,
      );
      await batchWrite(table, { puts: [{ ...before, ...key(email), metadata }] });
    };
    await corrupt('cleo@example.com', { starts: '2026-02-30T15:00:00Z' });
    // Its row is still there.
    await corrupt('dan@example.com', { starts: { text: 'soon' } });
    const row = (SK: string) => ({ PK: `TRG#${of.id}#starts`, SK });
    const hash = recipientKey.hashOf('nobody@example.com');
    const left = recipientKey.hashOf('eve@example.com');
    await batchWrite(table, {
      puts: [
        row(`0900#2026-02-20#${hash}`),
        row(`0900#2026-02-20#${left}`),
        row(`0900#2026-13-45#${hash}`),
        row(`0900#yesterday#${hash}`),
        row(`0900#2026-02-20#`),
        row('0900'),
        row('0900#'),
      ],
    });
    const automation = unstored(of.organization_id, { email_list_ids: [of.id], metadata_trigger: 'starts' });
    const simulation = await run(automation);
    expect(simulation).toMatchObject({ total_count: 1, count: 1, limited: false, left_out: 3 });
    expect(simulation.sample_emails.map(({ email }) => email)).toEqual(['ann@example.com']);
    expect(simulation.hourly_summary.filter(({ count }) => count > 0)).toMatchObject([
      { hour: '2026-03-01T15:00:00.000Z', count: 1 },
    ]);
  });

  it('does not mail again today who was due earlier today in another list, where that was sent', async () => {
    const [a, b] = (await newLists(table, noon, ['A', 'B'])) as [list.CountedList, list.CountedList];
    const added = (of: list.CountedList, time: string) =>
      addMember(table, of, {
        email: 'ann@example.com',
        date: new Date(`2026-02-20T${time}Z`),
        state: 'subscribed',
      });
    await added(a, '06:00:00');
    await added(b, '15:00:00');
    const times = async (fields: Partial<StoredAutomation>) => {
      const automation = unstored(a.organization_id, { email_list_ids: [a.id, b.id], ...fields });
      return (await run(automation)).sample_emails.map(({ scheduled_time }) => scheduled_time.slice(0, 16));
    };
    expect(await times({})).toEqual(['2026-03-02T06:00']);
    const both = ['2026-03-01T15:00', '2026-03-02T06:00'];
    expect(await times({ active_since: '2026-03-01T06:01:00.000Z' })).toEqual(both);
    expect(await times({ active: false })).toEqual(both);
    expect(await times({ email_list_ids: [b.id] })).toEqual(['2026-03-01T15:00']);
    const switchOn = async (of: list.CountedList, at: string) => {
      await list.change({ table, now: noon }, of, { active: false });
      const off = await found(table, of.organization_id, of.id);
      await list.change({ table, now: new Date(at) }, off, { active: true });
    };
    await switchOn(a, '2026-03-01T06:00:59Z');
    expect(await times({})).toEqual(['2026-03-02T06:00']);
    await switchOn(a, '2026-03-01T06:01:00Z');
    expect(await times({})).toEqual(both);
  });

  it('of a list that was deleted, or of none, finds nothing, and reads each row once', async () => {
    const [a, b] = (await newLists(table, noon, ['A', 'B'])) as [list.CountedList, list.CountedList];
    for (const of of [a, b]) {
      const date = new Date('2026-02-20T12:00:00Z');
      await addMember(table, of, { email: 'ann@example.com', date, state: 'subscribed' });
    }
    const automation = unstored(a.organization_id, { email_list_ids: [a.id, b.id] });
    const { on, pages } = inSmallPages(table, 10_000);
    // On both lists at the same minute: it is one email, of the list with the lowest id.
    expect(await run(automation, noon, on)).toMatchObject({
      total_count: 1,
      sample_emails: [{ list_name: a.name }],
    });
    expect(pages()).toBe(4);
    // So it is for who matches the conditions in both.
    const audience = { all: [{ field: '@email', op: 'contains', value: 'ann' } as const] };
    expect(await run({ ...automation, audience })).toMatchObject({ total_count: 1, count: 1 });
    await list.remove({ table, now: noon }, await found(table, a.organization_id, a.id));
    expect(await run(automation)).toMatchObject({ total_count: 1, sample_emails: [{ list_name: b.name }] });
    const nothing = { total_count: 0, count: 0, limited: false, left_out: 0, inactive_lists: [] };
    expect(await run({ ...automation, email_list_ids: [a.id] })).toMatchObject(nothing);
    expect(await run({ ...automation, email_list_ids: [] })).toMatchObject(nothing);
  });
});
