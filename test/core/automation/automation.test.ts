import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as broadcasts from '#core/automation/broadcast.store.ts';
import * as sequences from '#core/automation/sequence.store.ts';
import { newBroadcastId } from '#core/id.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import { batchWrite, get, type Table } from '#core/storage/table.store.ts';
import {
  AutomationChange,
  BEGINS_NOTHING,
  type NewAutomation,
  NO_ANNIVERSARY,
  NO_FIRST,
  UNKNOWN_AUDIENCE_LIST,
  UNKNOWN_COLUMN,
  UNKNOWN_LIST,
} from '#shared/automation.ts';
import {
  addColumn,
  countingWrites,
  createAutomation,
  newLists,
  sourcesOf,
  stored,
} from '#test/support/core-automation.ts';
import { createList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { purgesOf } from '#test/support/purge.ts';
import { form } from '#test/support/unstored.ts';

const table = freshTable();
const now = new Date('2026-03-01T12:00:40.000Z');
const later = new Date('2026-03-02T08:00:00.000Z');

let a: list.CountedList;
let b: list.CountedList;
let id: number;
beforeEach(async () => {
  [a, b] = (await newLists(table, now, ['A', 'B'])) as [list.CountedList, list.CountedList];
  id = a.organization_id;
  for (const of of [a, b]) for (const column of ['starts', 'ends']) await addColumn(table, of, column);
});

const create = (fields: Parameters<typeof form>[0] = {}) => createAutomation(table, now, id, fields);
const change = (of: automationStore.StoredAutomation, to: AutomationChange, on: Table = table, at = later) =>
  automations.change({ table: on, now: at }, of, AutomationChange.parse(to));
const remove = (of: automationStore.StoredAutomation, on: Table = table) =>
  automations.remove({ table: on, now: later }, of);
const read = (of: { id: string }) => stored(table, id, of.id);
const sources = (of = id) => sourcesOf(table, of);
const sourceIn = (of: { id: string }, column: string, automation: { id: string }) =>
  `${id}#${of.id}#${column}#${automation.id}`;
describe('since when it is active', () => {
  it('is when it was created or last switched on, and edits leave it alone', async () => {
    const automation = await create({ email_list_ids: [a.id] });
    const since = async () => (await read(automation)).active_since;
    const edit = async (to: AutomationChange, at: string) =>
      change(await read(automation), to, table, new Date(at));
    expect(await since()).toBe(now.toISOString());
    await edit({ name: 'renamed', delay_days: 2, metadata_trigger: 'ends' }, '2026-03-02T00:00:00Z');
    await edit({ active: true }, '2026-03-03T00:00:00Z');
    expect(await since()).toBe(now.toISOString());
    await edit({ active: false }, '2026-03-04T00:00:00Z');
    expect(await since()).toBe(now.toISOString());
    await edit({ active: true }, '2026-03-05T00:00:00Z');
    expect(await since()).toBe('2026-03-05T00:00:00.000Z');
  });

  it('is nothing while it has never been', async () => {
    const automation = await create({ active: false });
    expect(automation).not.toHaveProperty('active_since');
    await change(automation, { active: true });
    expect((await read(automation)).active_since).toBe(later.toISOString());
  });
});

it.each<[string, Parameters<typeof form>[0], string]>([
  ['off', { active: false }, BEGINS_NOTHING],
  ['yearly', { repeat: 'yearly', metadata_trigger: 'starts' }, NO_FIRST],
])('one that is created %s cannot mail people who are there already', async (_, fields, fault) => {
  const created = create({ email_list_ids: [a.id], include_existing: true, ...fields });
  await expect(created).rejects.toMatchObject({ errors: { include_existing: [fault] } });
  expect(await automationStore.readAll(table, id)).toEqual([]);
});

it.each<[string, Parameters<typeof form>[0], AutomationChange, boolean]>([
  ['once, and then later', { repeat: 'once' }, { delay_days: 3 }, true],
  ['every day, and then once', { repeat: 'days' }, { repeat: 'once', delay_days: 3 }, true],
  ['once, and then minutes later', { repeat: 'once' }, { delay_minutes: 30 }, true],
  ['once, and then at a time of day', { repeat: 'once' }, { send_at: '09:00' }, true],
  ['once, and then by the clock of the list', { repeat: 'once' }, { time_zone_of: 'list' }, true],
  ['once, and then not on Sundays', { repeat: 'once' }, { days_off: ['sunday'] }, true],
  ['once, and then not on a date', { repeat: 'once' }, { dates_off: ['2030-12-24'] }, true],
  ['once, under another name', { repeat: 'once' }, { name: 'renamed' }, false],
  ['every day, and then later', { repeat: 'days' }, { delay_days: 3 }, false],
])(
  'of what is sent %s, it is stored since when its times are others',
  async (_, before, to, isRescheduled) => {
    const automation = await create(before);
    await change(automation, to);
    const { rescheduled_at } = await read(automation);
    expect(rescheduled_at).toBe(isRescheduled ? later.toISOString() : undefined);
  },
);

describe('lists and columns', () => {
  it('must be those of its organization, when they are chosen', async () => {
    const [foreign] = (await newLists(table, now, ['C'])) as [list.CountedList];
    const unknown = { errors: { email_list_ids: [UNKNOWN_LIST] } };
    await expect(create({ email_list_ids: [a.id, foreign.id] })).rejects.toMatchObject(unknown);
    const automation = await create({ email_list_ids: [a.id] });
    await expect(change(automation, { email_list_ids: [foreign.id] })).rejects.toMatchObject(unknown);
    await list.remove({ table, now }, b);
    await expect(change(automation, { email_list_ids: [b.id] })).rejects.toMatchObject(unknown);
    expect(await sources()).toEqual([sourceIn(a, '', automation)]);
    await change(automation, { email_list_ids: [a.id, a.id] });
    expect((await read(automation)).email_list_ids).toEqual([a.id]);
  });

  it('must know the column, but one of them is enough', async () => {
    await addColumn(table, b, 'only_here');
    const unknown = { errors: { metadata_trigger: [UNKNOWN_COLUMN] } };
    const fields = { metadata_trigger: 'only_here' };
    await expect(create({ ...fields, email_list_ids: [a.id] })).rejects.toMatchObject(unknown);
    await expect(create(fields)).rejects.toMatchObject(unknown);
    const automation = await create({ ...fields, email_list_ids: [a.id, b.id] });
    await expect(change(automation, { metadata_trigger: 'nowhere' })).rejects.toMatchObject(unknown);
    // What it has already may be saved again, also where the column is gone.
    await batchWrite(table, { deletes: [{ PK: `LIST#${b.id}`, SK: 'COLUMN#only_here' }] });
    expect(await change(automation, { ...fields, email_list_ids: [a.id, b.id] })).toMatchObject(fields);
    const yearly = change(await read(automation), { repeat: 'yearly' });
    await expect(yearly).rejects.toMatchObject({ errors: { repeat: [NO_ANNIVERSARY] } });
  });

  it('need not know the column of an event, which stays one until it is a date or the column is gone', async () => {
    const event = { metadata_trigger: 'ordered', starts_at: 'event' } as const;
    const shown = async (of: { id: string }) => automations.detail({ table }, await read(of));
    const automation = await create({ ...event, email_list_ids: [a.id] });
    expect(await shown(automation)).toMatchObject(event);
    expect(await sources()).toEqual([sourceIn(a, 'ordered', automation)]);
    await change(await read(automation), { metadata_trigger: 'paid', repeat: 'yearly' });
    expect(await shown(automation)).toMatchObject({ ...event, metadata_trigger: 'paid' });
    const unknown = { errors: { metadata_trigger: [UNKNOWN_COLUMN] } };
    const toDate = { starts_at: 'date', repeat: 'once' } as const;
    await expect(change(await read(automation), toDate)).rejects.toMatchObject(unknown);
    await change(await read(automation), { ...toDate, metadata_trigger: 'ends' });
    expect(await read(automation)).not.toHaveProperty('starts_at');
    expect(await shown(automation)).toMatchObject({ starts_at: 'date', metadata_trigger: 'ends' });
    await change(await read(automation), event);
    await change(await read(automation), { metadata_trigger: null });
    expect(await shown(automation)).toMatchObject({ starts_at: 'added', metadata_trigger: null });
    await change(await read(automation), { metadata_trigger: 'ends' });
    await change(await read(automation), { starts_at: 'added' });
    expect(await read(automation)).toMatchObject({ metadata_trigger: null });
    expect(await sources()).toEqual([sourceIn(a, '', automation)]);
  });

  it('are not looked for again where something else of it is changed', async () => {
    await addColumn(table, a, 'only_here');
    const audience: NewAutomation['audience'] = { all: [{ field: '@list', op: 'not_on', value: b.id }] };
    const fields = { metadata_trigger: 'only_here', repeat: 'yearly', email_list_ids: [a.id] } as const;
    const automation = await create({ ...fields, email_list_ids: [a.id], audience, active: false });
    const unknown = { errors: { repeat: [NO_ANNIVERSARY] } };
    await expect(change(automation, { email_list_ids: [b.id] })).rejects.toMatchObject(unknown);
    await batchWrite(table, { deletes: [{ PK: `LIST#${a.id}`, SK: 'COLUMN#only_here' }] });
    await list.remove({ table, now }, b);
    await change(automation, { ...fields, email_list_ids: [a.id], name: 'renamed', delay_days: 1 });
    const named = { errors: { audience: [UNKNOWN_AUDIENCE_LIST] } };
    await expect(change(await read(automation), { active: true })).rejects.toMatchObject(named);
    expect(await read(automation)).toMatchObject({ name: 'renamed', delay_days: 1, active: false });
  });

  it('that were all deleted leave an automation that can be read, toggled, edited and deleted', async () => {
    const automation = await create({ email_list_ids: [a.id, b.id], metadata_trigger: 'starts' });
    for (const of of [a, b]) await list.remove({ table, now }, of);
    expect(await automations.detail({ table }, automation)).toMatchObject({ active: true, email_lists: [] });
    expect(await automations.page({ table }, id, 1)).toMatchObject([{ id: automation.id, email_lists: [] }]);
    await change(await read(automation), { active: false });
    await change(await read(automation), { active: true, metadata_trigger: 'starts', email_list_ids: [] });
    expect(await read(automation)).toMatchObject({ email_list_ids: [], active: true });
    expect(await sources()).toEqual([]);
    await remove(await read(automation));
  });
});

describe('an organization', () => {
  it('has at most 1,000 automations, and a deleted one gives its place back', async () => {
    const automation = await create({ active: false });
    const meta = await get(table, { PK: `ORG#${id}`, SK: 'META' });
    await batchWrite(table, { puts: [{ ...meta, PK: `ORG#${id}`, SK: 'META', automations: 1_000 }] });
    const full = {
      reason: 'conflict',
      message: 'An organization can have at most 1,000 automations. Delete one that is no longer needed.',
    };
    await expect(create()).rejects.toMatchObject(full);
    await remove(automation);
    await create({ active: false });
    await expect(create({ active: false })).rejects.toMatchObject(full);
  });

  it('has them by name, alone and with broadcasts, where they are to be chosen', async () => {
    const automation = await create({ name: 'd' });
    const named = (id: string, name: string) => ({ ...automation, id, name });
    const [first, last] = [named('000000000000', 'e'), named('zzzzzzzzzzzz', 'c')];
    const cast = { ...named(newBroadcastId(now), 'a'), status: 'draft' };
    await batchWrite(table, { puts: [first, last, cast].map(automationStore.toItem) });
    const option = ({ id, name }: { id: string; name: string }) => ({ id, name });
    const options = await automations.options({ table }, id);
    expect(options).toEqual([last, automation, first].map(option));
    expect(await automations.named({ table }, id, [first.id, last.id, 'gone'])).toEqual(
      [last, first].map(option),
    );
    expect((await automations.page({ table }, id, 1)).map(option)).toEqual(options);
    const offered = (...ids: string[]) =>
      automations.withBroadcasts({ table }, id, options, [{}, { automation_ids: new Set(ids) }]);
    expect(await offered(first.id)).toEqual(options);
    expect(await offered(first.id, cast.id)).toEqual([option(cast), ...options]);
  });

  it('has them on pages of 100', async () => {
    const automation = await create({ active: false });
    const named = (at: number) => ({ ...automation, id: `${at}`.padStart(12, '0'), name: `a${1_000 + at}` });
    const all = Array.from({ length: 150 }, (_, at) => automationStore.toItem(named(at)));
    for (let at = 0; at < 150; at += 25) await batchWrite(table, { puts: all.slice(at, at + 25) });
    const names = async (page: number) =>
      (await automations.page({ table }, id, page)).map(({ name }) => name);
    const expected = [...all.map(({ name }) => name), automation.name];
    expect(await names(1)).toEqual(expected.slice(0, 100));
    expect([await names(2), await names(3)]).toEqual([expected.slice(100), []]);
  });

  it('that is deleted gets no automation', async () => {
    const owner = await newUser(table, now);
    const { id: gone } = await organization.create({ table, now }, owner.id, 'Annex');
    await organization.remove({ table, now }, await actingIn(table, owner.id, gone));
    await expect(automations.create({ table, now }, gone, form())).rejects.toMatchObject({
      reason: 'conflict',
      message: 'The automation could not be created. Please try again.',
    });
    expect(await automationStore.readAll(table, gone)).toEqual([]);
  });
});

describe('the sources of the sweep', () => {
  it('are one for each list of an active automation, whatever happens to it', async () => {
    const automation = await create({ email_list_ids: [b.id, a.id, b.id] });
    const at = (column: string, ...lists: list.CountedList[]) =>
      lists.map(of => sourceIn(of, column, automation));
    expect(await sources()).toEqual(at('', a, b));
    expect(automation.email_list_ids).toEqual([b.id, a.id]);
    await change(await read(automation), { metadata_trigger: 'starts' });
    expect(await sources()).toEqual(at('starts', a, b));
    await change(await read(automation), { email_list_ids: [a.id], delay_days: 3 });
    expect(await sources()).toEqual(at('starts', a));
    await change(await read(automation), { active: false });
    expect(await sources()).toEqual([]);
    await change(await read(automation), { email_list_ids: [a.id, b.id], metadata_trigger: 'ends' });
    expect(await sources()).toEqual([]);
    await change(await read(automation), { active: true });
    expect(await sources()).toEqual(at('ends', a, b));
    await change(await read(automation), { metadata_trigger: '' });
    expect(await sources()).toEqual(at('', a, b));
    await remove(await read(automation));
    expect(await sources()).toEqual([]);
  });

  it('are not there for an automation that is created inactive, nor for one without lists', async () => {
    await create({ active: false, email_list_ids: [a.id] });
    await create();
    expect(await sources()).toEqual([]);
  });

  it('are kept apart between automations of the same list and column', async () => {
    const [one, other] = [await create({ email_list_ids: [a.id] }), await create({ email_list_ids: [a.id] })];
    await remove(one);
    expect(await sources()).toEqual([sourceIn(a, '', other)]);
  });

  it('take at most three writes for each list, and none for a member', async () => {
    const { on, written } = countingWrites(table);
    await listMember.upsertAll({ table, now }, a, [{ email: 'ann@example.com', starts: '2026-03-01' }]);
    await automations.create({ table: on, now }, id, form({ email_list_ids: [a.id, b.id] }));
    const automation = (await automationStore.readAll(table, id))[0] as automationStore.StoredAutomation;
    for (const to of [
      { metadata_trigger: 'starts' },
      { delay_days: 1 },
      { active: false },
      { active: true },
    ]) {
      await change(await read(automation), to, on);
    }
    await remove(await read(automation), on);
    // The organization, which counts them, the switch, the automation, its links, its comparisons and the record are written besides.
    expect(written).toEqual([7, 6, 2, 6, 6, 8]);
  });

  it('of a deleted list, and of a deleted organization, are purged with it', async () => {
    const { purged } = purgesOf(table);
    const owner = await newUser(table, now);
    id = (await organization.create({ table, now }, owner.id, 'Annex')).id;
    const acting = () => actingIn(table, owner.id, id);
    const [gone, kept] = [
      await createList(table, now, await acting()),
      await createList(table, now, await acting()),
    ];
    const automation = await create({ email_list_ids: [gone.id, kept.id] });
    const elsewhere = await createAutomation(table, now, a.organization_id, { email_list_ids: [a.id] });

    await list.remove({ table, now }, gone);
    await purged({ organization_id: id, list_id: gone.id }, now);
    expect(await sources()).toEqual([sourceIn(kept, '', automation)]);
    // The next change forgets the list.
    await change(await read(automation), { name: 'renamed' });
    expect((await read(automation)).email_list_ids).toEqual([kept.id]);
    expect(await sources()).toEqual([sourceIn(kept, '', automation)]);

    const cast = { ...(await read(automation)), id: newBroadcastId(now) };
    const sequence = { PK: `ORG#${id}`, SK: 'SEQ#000000000000', id: '000000000000', organization_id: id };
    await batchWrite(table, { puts: [automationStore.toItem(cast), sequence] });
    await organization.remove({ table, now }, await acting());
    await purged({ organization_id: id }, now);
    expect(await sources()).toEqual([]);
    expect(await automationStore.readAll(table, id)).toEqual([]);
    expect(await broadcasts.readAll(table, id)).toEqual([]);
    expect(await sequences.readAll(table, id)).toEqual([]);
    expect(await sources(a.organization_id)).toEqual([`${a.organization_id}#${a.id}##${elsewhere.id}`]);
  });
});

describe('fifty lists', () => {
  async function ofFifty() {
    const lists = await newLists(table, now, Array(50).fill('One of many'));
    const [first] = lists as [list.CountedList];
    id = first.organization_id;
    await addColumn(table, first, 'starts');
    return { lists, automation: await create({ email_list_ids: lists.map(of => of.id) }) };
  }

  it('get another column in two transactions, between which no source is missing', {
    timeout: 600_000,
  }, async () => {
    const { lists, automation } = await ofFifty();
    const { on, written } = countingWrites(table);
    let column = '';
    const expected = () => lists.map(of => sourceIn(of, column, automation));
    await crashingAtEachWrite(
      table,
      async () => {
        const found = await read(automation);
        column = found.metadata_trigger ?? '';
        const there = await sources();
        // All that it has; of those it had, the last ones may be left.
        expect(there).toEqual(expect.arrayContaining(expected()));
        expect(there.length).toBeLessThanOrEqual(52);
        return found;
      },
      (crashing, found) => change(found, { metadata_trigger: column === '' ? 'starts' : '' }, crashing),
    );
    const found = await read(automation);
    await change(found, { metadata_trigger: found.metadata_trigger ? '' : 'starts' }, on);
    expect(written).toEqual([100, 3]);
    column = found.metadata_trigger ? '' : 'starts';
    expect(await sources()).toEqual(expected());
  });

  it('keep their sources where another change comes between the two transactions', async () => {
    const { lists, automation } = await ofFifty();
    let transactions = 0;
    const on = intercepted(table, async (send, { constructor: { name } }) => {
      if (name === 'TransactWriteCommand' && ++transactions === 2) {
        await change(await read(automation), { metadata_trigger: '' });
      }
      return send();
    });
    await change(automation, { metadata_trigger: 'starts' }, on);
    expect(transactions).toBe(2);
    const all = lists.map(of => sourceIn(of, '', automation));
    expect(await sources()).toEqual(expect.arrayContaining(all));
  });
});

describe('races', () => {
  it('of two edits are both won', async () => {
    const automation = await create({ email_list_ids: [a.id] });
    await Promise.all([
      change(automation, { metadata_trigger: 'starts' }),
      change(automation, { email_list_ids: [b.id] }),
      change(automation, { delay_days: 4 }),
    ]);
    expect(await read(automation)).toMatchObject({
      metadata_trigger: 'starts',
      email_list_ids: [b.id],
      delay_days: 4,
    });
    expect(await sources()).toEqual([sourceIn(b, 'starts', automation)]);
  });

  it('of an edit that a toggle overtakes end with the sources of both', async () => {
    const automation = await create({ email_list_ids: [a.id] });
    const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change(automation, { active: false }));
    expect(await change(automation, { email_list_ids: [a.id, b.id] }, overtaken)).toMatchObject({
      active: false,
    });
    expect(await sources()).toEqual([]);
    const again = beforeFirst(table, 'TransactWriteCommand', () => change(automation, { active: true }));
    await change(await read(automation), { metadata_trigger: 'ends' }, again);
    expect(await sources()).toEqual([a, b].map(of => sourceIn(of, 'ends', automation)));
  });

  it('of an edit and a deletion leave nothing, whichever is first', async () => {
    const automation = await create({ email_list_ids: [a.id] });
    const deletedMeanwhile = beforeFirst(table, 'TransactWriteCommand', () => remove(automation));
    await expect(change(automation, { metadata_trigger: 'starts' }, deletedMeanwhile)).rejects.toMatchObject({
      reason: 'not-found',
      message: 'Automation not found',
    });
    expect(await sources()).toEqual([]);
    const second = await create({ email_list_ids: [a.id] });
    await remove(
      second,
      beforeFirst(table, 'TransactWriteCommand', () => change(second, { metadata_trigger: 'starts' })),
    );
    expect(await sources()).toEqual([]);
    expect(await automationStore.readAll(table, id)).toEqual([]);
  });

  it('of two deletions give one place back', async () => {
    const [automation] = [await create(), await create()];
    const outcomes = await Promise.allSettled([remove(automation), remove(automation)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await get(table, { PK: `ORG#${id}`, SK: 'META' })).toMatchObject({ automations: 1 });
  });

  it('of two edits that each make a triple or a double send are refused together', async () => {
    const automation = await create();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      change(automation, { triple_send_second: true }),
    );
    await expect(change(automation, { double_send_second: true }, meanwhile)).rejects.toMatchObject({
      errors: { double_send_second: ['Choose either a double or a triple send for the 2nd occurrence'] },
    });
    expect(await read(automation)).toMatchObject({ triple_send_second: true, double_send_second: false });
  });
});
