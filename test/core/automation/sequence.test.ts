import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import type * as store from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as list from '#core/list/list.ts';
import * as switches from '#core/organization/switches.ts';
import { partitionOf, readSource, shardOf } from '#core/sources/source.ts';
import { batchWrite, get, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { AutomationChange, CHANGED_SINCE, UNKNOWN_COLUMN } from '#shared/automation.ts';
import { NewSequence, type Sequence, SequenceChange } from '#shared/sequence.ts';
import { addColumn, countingWrites, newLists, stored } from '#test/support/core-automation.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { proof } from '#test/support/proof.ts';

const table = freshTable();
const now = new Date('2026-03-01T12:00:40.000Z');
const later = new Date('2026-03-02T08:00:00.000Z');

let a: list.CountedList;
let b: list.CountedList;
let id: number;
beforeEach(async () => {
  [a, b] = (await newLists(table, now, ['A', 'B'])) as [list.CountedList, list.CountedList];
  id = a.organization_id;
  for (const of of [a, b]) await addColumn(table, of, 'starts');
});

const THREE = [{}, { delay_days: 3 }, { delay_days: 7, delay_minutes: 30 }];
const create = (fields: object = {}, on: Table = table) =>
  sequences.create(
    { table: on, now },
    id,
    NewSequence.parse({ name: 'Onboarding', email_list_ids: [a.id], steps: THREE, ...fields }),
  );
const read = async (of: { id: string }) => sequences.found(await getAll(table, sequences.keysOf(id, of.id)));
const change = async (of: { id: string }, to: object, on: Table = table) =>
  sequences.change({ table: on, now: later, user: 'user-1' }, await read(of), SequenceChange.parse(to));
const remove = async (of: { id: string }, on: Table = table) =>
  sequences.remove({ table: on, now: later }, await read(of));
const detail = async (of: { id: string }) => sequences.detail({ table }, await read(of));
const stepsOf = ({ steps }: Sequence) => steps.map(({ automation_id }) => automation_id);
const automationsOf = (of: Sequence) => Promise.all(stepsOf(of).map(step => stored(table, id, step)));
const expectedSources = async () =>
  (await automationStore.readAll(table, id))
    .filter(({ active }) => active)
    .flatMap(step => step.email_list_ids.map(of => `${id}#${of}#${step.metadata_trigger ?? ''}#${step.id}`))
    .sort();
const sources = async () => {
  const items = await queryPartition(table, partitionOf(shardOf(id)), `${id}#`);
  return items.flatMap(({ SK }) => (readSource({ SK }) ? [String(SK)] : [])).sort();
};
const sourcesAreRight = async () => expect(await sources()).toEqual(await expectedSources());
const meta = { PK: '', SK: 'META' };
const counts = async () => {
  const {
    automations = 0,
    active_automations = 0,
    sequences = 0,
  } = (await get(table, { ...meta, PK: `ORG#${id}` })) ?? {};
  return { automations, active_automations, sequences };
};
const count = (set: object) => updateItem(table, { ...meta, PK: `ORG#${id}` }, { set: { ...set } });
const CONFLICT = { reason: 'conflict', message: expect.stringContaining('under way') };

describe('a sequence', () => {
  it('is off until it is switched on; then its steps are, which have what it has', async () => {
    const created = await create({ metadata_trigger: 'starts', send_at: null, days_off: ['sunday'] });
    expect(created).toMatchObject({ active: false, starts_at: 'date', email_list_ids: [a.id] });
    expect(created.steps).toMatchObject([
      { name: 'Onboarding_1', delay_days: 0, delay_minutes: 0, active: true },
      { name: 'Onboarding_2', delay_days: 3, delay_minutes: 0, active: true },
      { name: 'Onboarding_3', delay_days: 7, delay_minutes: 30, active: true },
    ]);
    expect(await detail(created)).toEqual(created);
    expect(await sequences.page({ table }, id, 1)).toEqual([created]);
    expect(await sources()).toEqual([]);
    for (const item of [await read(created), ...(await automationsOf(created))])
      expect(item).not.toHaveProperty('begun');
    const on = await change(created, { active: true, email_list_ids: [a.id, b.id] });
    expect(on).toMatchObject({ active: true, steps: created.steps });
    for (const [index, step] of (await automationsOf(on)).entries()) {
      expect(step).toMatchObject({
        active: true,
        active_since: later.toISOString(),
        repeat: 'once',
        email_list_ids: [a.id, b.id],
        metadata_trigger: 'starts',
        days_off: ['sunday'],
        sequence_id: created.id,
        delay_days: [0, 3, 7][index],
      });
    }
    expect(await sources()).toHaveLength(6);
    await sourcesAreRight();
    const noted = (await switches.readAll(table, id)).filter(({ what }) => what.startsWith('automation#'));
    expect(noted).toHaveLength(3);
    expect(noted[0]).toMatchObject({ on: true, by: 'user-1', at: later.toISOString() });
    expect(await counts()).toMatchObject({ sequences: 1, automations: 3, active_automations: 3 });
  });

  it('keeps, moves, adds and removes steps, and switches each by its wish', async () => {
    const created = await create({ active: true });
    const [first, second, third] = stepsOf(created);
    const before = await automationsOf(created);
    const changed = await change(created, {
      steps: [
        { automation_id: second },
        { automation_id: first, delay_days: 4, active: false },
        { name: 'last', delay_days: 5 },
      ],
    });
    expect(changed.steps).toMatchObject([
      { automation_id: second, name: 'Onboarding_2', delay_days: 3, active: true },
      { automation_id: first, name: 'Onboarding_1', delay_days: 4, active: false },
      { name: 'last', delay_days: 5, active: true },
    ]);
    expect(await detail(changed)).toEqual(changed);
    const after = await automationsOf(changed);
    expect(after).toMatchObject([{ active: true }, { active: false }, { active: true }]);
    // What stays as it is is not written.
    expect(after[0]).toEqual(before[1]);
    await expect(stored(table, id, third ?? '')).rejects.toMatchObject({ reason: 'not-found' });
    await sourcesAreRight();
    const moved = await change(changed, {
      steps: changed.steps.map(({ automation_id, delay_days }) => ({
        automation_id,
        delay_days: delay_days + 1,
      })),
    });
    expect(moved.steps.map(({ active }) => active)).toEqual([true, false, true]);
    expect(await automationsOf(moved)).toMatchObject([{ active: true }, { active: false }, { active: true }]);
    expect(await counts()).toMatchObject({ automations: 3, active_automations: 2 });
    await change(changed, { active: false });
    expect(await counts()).toMatchObject({ automations: 3, active_automations: 0 });
    expect(await change(changed, { active: true })).toMatchObject({ steps: moved.steps });
    await sourcesAreRight();
    await remove(changed);
    expect(await automationStore.readAll(table, id)).toEqual([]);
    expect(await sources()).toEqual([]);
    expect(await counts()).toMatchObject({ sequences: 0, automations: 0, active_automations: 0 });
    await expect(read(changed)).rejects.toMatchObject({ reason: 'not-found', message: 'Sequence not found' });
  });

  it('forgets lists that were deleted, and starts at an event that no list has', async () => {
    const created = await create({
      active: true,
      email_list_ids: [a.id, b.id],
      metadata_trigger: 'ordered',
      starts_at: 'event',
    });
    await list.remove({ table, now }, b);
    expect(await detail(created)).toMatchObject({ email_list_ids: [a.id], starts_at: 'event' });
    await change(created, { name: 'After an order' });
    expect((await automationsOf(created)).map(step => step.email_list_ids)).toEqual([[a.id], [a.id], [a.id]]);
    expect(await change(created, { metadata_trigger: null })).toMatchObject({ starts_at: 'added' });
    await sourcesAreRight();
  });

  it('does not change where the call is refused', async () => {
    const created = await create();
    const [foreign] = (await newLists(table, now, ['C'])) as [list.CountedList];
    const other = await sequences.create(
      { table, now },
      foreign.organization_id,
      NewSequence.parse({ name: 'Other', steps: THREE }),
    );
    const [first] = stepsOf(created);
    const steps = (text: string) => ({ steps: [expect.stringContaining(text)] });
    const refused: [object, object][] = [
      [{ active: true, steps: [] }, steps('Add a step')],
      [{ steps: [{}, {}] }, steps('Step 2: It must go later')],
      [
        {
          steps: [
            { delay_days: 1, delay_minutes: 5 },
            { delay_days: 1, delay_minutes: 4 },
          ],
        },
        steps('Step 2'),
      ],
      [{ send_at: '09:00' }, steps('Step 3: An email with a time of day')],
      [{ time_zone_of: 'member' }, { time_zone_of: expect.anything() }],
      [{ steps: [{ automation_id: stepsOf(other)[0] }] }, steps('Step 1: It is not a step')],
      [
        { steps: [{ automation_id: first }, { automation_id: first, delay_days: 1 }] },
        steps('Step 2: It is in'),
      ],
      [
        { steps: [{ automation_id: first }, { automation_id: stepsOf(other)[0], delay_days: 1 }] },
        steps('Step 2: It is not a step'),
      ],
      [{ email_list_ids: [foreign.id] }, { email_list_ids: expect.anything() }],
      [{ metadata_trigger: 'nowhere' }, { metadata_trigger: [UNKNOWN_COLUMN] }],
      [{ starts_at: 'date' }, { metadata_trigger: expect.anything() }],
      [
        { audience: { all: [{ field: '@list', op: 'on', value: foreign.id }] } },
        { audience: expect.anything() },
      ],
    ];
    for (const [to, errors] of refused) {
      await expect(change(created, to), JSON.stringify(to)).rejects.toMatchObject({
        reason: 'invalid',
        errors,
      });
    }
    expect(await detail(created)).toEqual(created);
    expect(await automationStore.readAll(table, id)).toHaveLength(3);
  });

  it('gets no active step while its conditions name a list that is deleted: who is on it would get the emails', async () => {
    const off = THREE.map(step => ({ ...step, active: false }));
    const audience = { all: [{ field: '@list', op: 'not_on', value: b.id }] };
    const created = await create({ active: true, audience, steps: off });
    await list.remove({ table, now }, b);
    const [automation_id] = stepsOf(created);
    const errors = { audience: [expect.any(String)] };
    for (const steps of [[{ automation_id, active: true }], [{ active: false }, { delay_days: 1 }]])
      await expect(change(created, { steps })).rejects.toMatchObject({ errors });
    expect(await sources()).toEqual([]);
    await change(created, { name: 'Renamed' });
    await change(created, { active: false, steps: [{}, { delay_days: 1, active: false }] });
    await expect(change(created, { active: true })).rejects.toMatchObject({ errors });
    expect(await detail(created)).toMatchObject({ name: 'Renamed', active: false });
  });

  it('that has an active step keeps it while its conditions name a list that is deleted', async () => {
    const audience = { all: [{ field: '@list', op: 'not_on', value: b.id }] };
    const steps = [{ active: false }, { delay_days: 1 }];
    const created = await create({ active: true, audience, steps });
    await list.remove({ table, now }, b);
    await change(created, { name: 'Renamed' });
    expect(await detail(created)).toMatchObject({ name: 'Renamed', steps: created.steps });
  });

  it.each([
    ['Onboarding', [{ name: 'Onboarding_2' }, {}], ['Onboarding_2', 'Onboarding_3']],
    ['  Grüße, von uns! ', [{}], ['Gr_e_von_uns_1']],
    ['_a_', [{}], ['a_1']],
    ['¿?', [{}, {}], ['step_1', 'step_2']],
    ['x'.repeat(100), [{}], [`${'x'.repeat(90)}_1`]],
  ])('of the name %j gives its steps names that automations can have', async (name, steps, names) => {
    const at = (step: object, delay_days: number) => ({ ...step, delay_days });
    const created = await create({ name, steps: steps.map(at) });
    expect(created.steps.map(step => step.name)).toEqual(names);
    // One that stays keeps its name from those that are added.
    const [stays] = stepsOf(created);
    const changed = await change(created, {
      name: 'step',
      steps: [{}, { automation_id: stays, delay_days: 1 }],
    });
    expect(new Set(changed.steps.map(step => step.name)).size).toBe(2);
    expect(changed.steps[1]?.name).toBe(names[0]);
  });

  it('is on a page of 100, by name', async () => {
    const created = await create({ name: 'b' });
    const sequence = await read(created);
    for (let nth = 0; nth < 100; nth += 20) {
      const puts = Array.from({ length: 20 }, (_, place) => {
        const other = `${String(nth + place).padStart(12, '0')}`;
        const name = nth + place === 0 ? 'c' : `a${other}`;
        return { PK: `ORG#${id}`, SK: `SEQ#${other}`, ...sequence, id: other, name };
      });
      await batchWrite(table, { puts });
    }
    const names = async (page: number) => (await sequences.page({ table }, id, page)).map(({ name }) => name);
    expect(await names(1)).toEqual([...(await names(1)).toSorted().slice(0, 99), 'b']);
    expect(await names(1)).toHaveLength(100);
    expect([await names(2), await names(3)]).toEqual([['c'], []]);
  });

  it('has its place among the automations, and its steps among the active ones', async () => {
    const created = await create();
    await count({ active_automations: 98 });
    await expect(change(created, { active: true })).rejects.toMatchObject({
      errors: { active: [expect.stringContaining('At most 100')] },
    });
    await count({ active_automations: 97 });
    await change(created, { active: true });
    await count({ automations: 998 });
    await expect(create()).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('1,000'),
    });
    expect(await sequences.page({ table }, id, 1)).toHaveLength(1);
    await count({ sequences: 1_000 });
    await expect(create({ steps: [] })).rejects.toMatchObject({
      message: expect.stringContaining('sequences'),
    });
  });
});

describe('a step', () => {
  it('keeps its name and content to itself, and is changed, switched and deleted by its sequence alone', async () => {
    const created = await create({ active: true });
    const [step] = (await automationsOf(created)) as [automationStore.StoredAutomation];
    const put = (to: object) => automations.change({ table, now: later }, step, AutomationChange.parse(to));
    const refused = { reason: 'conflict', message: expect.stringContaining('“Onboarding”') };
    for (const to of [
      { active: false },
      { delay_days: 1 },
      { email_list_ids: [b.id] },
      { metadata_trigger: 'starts' },
      { repeat: 'days' },
      { audience: { all: [{ field: 'plan', op: 'set' }] } },
      { double_send_first: true },
      { include_existing: true },
    ]) {
      await expect(put(to), JSON.stringify(to)).rejects.toMatchObject(refused);
    }
    await expect(automations.remove({ table, now: later }, step)).rejects.toMatchObject(refused);
    const { email_lists: _, ...shown } = await automations.detail({ table }, step);
    expect(shown).toMatchObject({ sequence_id: created.id, starts_at: 'added' });
    // A form that sends all of its fields changes the name alone.
    await put({ ...shown, email_list_ids: [a.id], name: 'hello' });
    expect((await detail(created)).steps[0]).toMatchObject({ name: 'hello', delay_days: 0, active: true });
    await sourcesAreRight();
  });

  it('sends one email, whichever occurrence it is', async () => {
    const [step = {}] = await automationsOf(await create());
    const copies = Object.entries(step).filter(([field]) => /^(double|triple)_send_/.test(field));
    expect(copies.map(([, isOn]) => isOn)).toEqual(Array(6).fill(false));
  });

  it('that is renamed as it was read before keeps what its sequence has given it since', async () => {
    const created = await create();
    const [step] = (await automationsOf(created)) as [automationStore.StoredAutomation];
    await change(created, { email_list_ids: [b.id] });
    await automations.change({ table, now: later }, step, { name: 'renamed' });
    expect(await stored(table, id, step.id)).toMatchObject({ name: 'renamed', email_list_ids: [b.id] });
  });

  it('that is removed, alone or with its sequence, has been switched off by who did it', async () => {
    const created = await create({ active: true });
    const [first, second, third] = stepsOf(created);
    await change(created, {
      steps: [{ automation_id: first }, { automation_id: second, active: false, delay_days: 1 }],
    });
    const offs = async () =>
      (await switches.readAll(table, id))
        .flatMap(({ what, on, by }) => (on ? [] : [`${what} by ${by}`]))
        .sort();
    const noted = (...ids: (string | undefined)[]) => ids.map(of => `automation#${of} by user-1`).sort();
    expect(await offs()).toEqual(noted(second, third));
    await sequences.remove({ table, now: later, user: 'user-1' }, await read(created));
    expect(await offs()).toEqual(noted(first, second, third));
  });
});

describe('two changes at once', () => {
  it('of a sequence and of the name of a step, of which it changes nothing, are both made', async () => {
    const created = await create({ active: true });
    const [step] = (await automationsOf(created)) as [automationStore.StoredAutomation];
    const renamed = beforeFirst(table, 'TransactWriteCommand', () =>
      automations.change({ table, now: later }, step, { name: 'renamed' }),
    );
    await change(created, { name: 'Other' }, renamed);
    expect(await detail(created)).toMatchObject({ name: 'Other', steps: [{ name: 'renamed' }, {}, {}] });
  });

  it('that need the last places are a conflict, which says nothing of places', async () => {
    const created = await create();
    await count({ active_automations: 97 });
    const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change(created, { active: true }));
    await expect(change(created, { active: true }, overtaken)).rejects.toMatchObject(CONFLICT);
    expect(await counts()).toMatchObject({ active_automations: 100 });
  });

  it('delete no step that was added since the others were read, where they say in which revision', async () => {
    const created = await create({ active: true });
    const all = created.steps.map(({ automation_id }) => ({ automation_id }));
    const { revision } = await change(created, {
      revision: created.revision,
      steps: [...all, { delay_days: 9 }],
    });
    const outdated = { revision: created.revision, steps: all.slice(0, 2) };
    const refused = { reason: 'conflict', message: CHANGED_SINCE };
    await expect(change(created, outdated)).rejects.toMatchObject(refused);
    await expect(sequences.tried({ table, now: later }, await read(created), outdated)).rejects.toMatchObject(
      refused,
    );
    expect((await detail(created)).steps).toHaveLength(4);
    expect((await change(created, { ...outdated, revision })).steps).toHaveLength(2);
  });

  it('of which one deletes it are a conflict too: no step is left that was added meanwhile', async () => {
    const created = await create({ active: true });
    const steps = [...stepsOf(created).map(automation_id => ({ automation_id })), { delay_days: 9 }];
    const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change(created, { steps }));
    await expect(remove(created, overtaken)).rejects.toMatchObject(CONFLICT);
    expect((await detail(created)).steps).toHaveLength(4);
    await sourcesAreRight();
  });

  it('are one, and a conflict', async () => {
    const created = await create();
    for (const meanwhile of [{ name: 'Other' }, { active: true }, { steps: [{}] }]) {
      const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change(created, meanwhile));
      await expect(change(created, { email_list_ids: [b.id] }, overtaken)).rejects.toMatchObject(CONFLICT);
      expect(await detail(created)).toMatchObject({ email_list_ids: [a.id] });
      await sourcesAreRight();
    }
    const [step] = (await automationsOf(await detail(created))) as [automationStore.StoredAutomation];
    const renamed = beforeFirst(table, 'TransactWriteCommand', () =>
      automations.change({ table, now: later }, step, { name: 'renamed' }),
    );
    await expect(change(created, { email_list_ids: [b.id] }, renamed)).rejects.toMatchObject(CONFLICT);
    const deleted = beforeFirst(table, 'TransactWriteCommand', () => remove(created));
    await expect(change(created, { active: false }, deleted)).rejects.toMatchObject(CONFLICT);
    expect(await counts()).toMatchObject({ sequences: 0, automations: 0, active_automations: 0 });
    expect(await sources()).toEqual([]);
  });
});

it.each([
  [10, [94]],
  [11, [77, 25]],
])('seven steps on %i lists are created by these numbers of writes at once: %j', async (count, expected) => {
  const lists = await newLists(table, now, Array(count).fill('One of some'));
  id = lists[0]?.organization_id ?? 0;
  const steps = Array.from({ length: 7 }, (_, delay_days) => ({ delay_days }));
  const { on, written } = countingWrites(table);
  await create({ active: true, email_list_ids: lists.map(of => of.id), steps }, on);
  expect(written).toEqual(expected);
  expect(await sources()).toHaveLength(7 * count);
});

describe('twenty steps on fifty lists', () => {
  let ids: string[];
  beforeEach(async () => {
    const lists = await newLists(table, now, Array(50).fill('One of many'));
    id = lists[0]?.organization_id ?? 0;
    ids = lists.map(of => of.id);
    await addColumn(table, lists[0] as list.CountedList, 'starts');
  });
  const TWENTY = Array.from({ length: 20 }, (_, delay_days) => ({ delay_days }));
  const ofTwenty = (fields: object = {}) => create({ email_list_ids: ids, steps: TWENTY, ...fields });
  const isActive = async (of: Sequence) => (await read(of)).active;

  proof(
    'have all of their sources whenever they are on, wherever a change dies',
    { timeout: 600_000 },
    async () => {
      const created = await ofTwenty();
      const state = async () => {
        const all = await automationsOf(created);
        // The old sequence, or the new one.
        expect(new Set(all.map(({ active, metadata_trigger }) => `${active} ${metadata_trigger}`)).size).toBe(
          1,
        );
        expect(await counts()).toMatchObject({ active_automations: (await isActive(created)) ? 20 : 0 });
        const there = new Set(await sources());
        expect((await expectedSources()).filter(source => !there.has(source))).toEqual([]);
        return read(created);
      };
      for (const to of [
        (of: store.StoredSequence) => ({ active: !of.active }),
        (of: store.StoredSequence) => ({
          active: true,
          metadata_trigger: of.metadata_trigger ? null : 'starts',
        }),
      ]) {
        await crashingAtEachWrite(table, state, (on, before) =>
          sequences.change({ table: on, now: later }, before, to(before)),
        );
      }
      await state();
      await change(created, { active: false });
      await change(created, { active: true });
      const unused = (await sources()).length - (await expectedSources()).length;
      expect(unused).toBeLessThanOrEqual(1_000);
    },
  );

  it('take twelve transactions, and the last one says since when to sweep them', async () => {
    const created = await ofTwenty();
    const { on, written } = countingWrites(table);
    await change(created, { active: true }, on);
    expect(written).toEqual([1, ...Array(10).fill(100), 11, 44]);
    const started = await get(table, { PK: 'SWEEP#000000', SK: `${id}#${created.id}#ON` });
    expect(started).toMatchObject({ since: later.toISOString() });
    // All steps are replaced by others at once.
    const replaced = await change(created, { email_list_ids: ids.slice(0, 1), steps: TWENTY });
    expect(replaced.steps).toHaveLength(20);
    await sourcesAreRight();
    expect(await counts()).toMatchObject({ automations: 20, active_automations: 20 });
    await change(created, { email_list_ids: ids });
    await remove(created);
    expect(await sources()).toEqual([]);
  });

  it('that are too many are refused before any source is stored', async () => {
    const created = await ofTwenty();
    await count({ active_automations: 81 });
    await expect(change(created, { active: true })).rejects.toMatchObject({
      errors: { active: [expect.stringContaining('At most 100')] },
    });
    expect(await sources()).toEqual([]);
  });

  it('of two changes one is a conflict, which takes no source away from the other', async () => {
    const created = await ofTwenty();
    const whileWritten = (nth: number, happen: () => Promise<unknown>) => {
      let writes = 0;
      return intercepted(table, async (send, { constructor: { name } }) => {
        if (/Write|Update/.test(name) && ++writes === nth) await happen();
        return send();
      });
    };
    const renamed = whileWritten(1, () => change(created, { name: 'Renamed' }));
    await expect(change(created, { active: true }, renamed)).rejects.toMatchObject(CONFLICT);
    expect(await sources()).toEqual([]);
    for (const nth of [1, 5, 13]) {
      const overtaken = whileWritten(nth, () => change(created, { active: true, name: 'First' }));
      await expect(change(created, { active: true, name: 'Second' }, overtaken)).rejects.toMatchObject(
        CONFLICT,
      );
      expect(await detail(created)).toMatchObject({ active: true, name: 'First' });
      await sourcesAreRight();
      await change(created, { active: false });
    }
    await change(created, { active: true });
    // Another change switches them on again while the first one still deletes.
    for (const nth of [2, 4]) {
      await change(
        created,
        { active: false },
        whileWritten(nth, () => change(created, { active: true })),
      );
      const there = new Set(await sources());
      expect((await expectedSources()).filter(source => !there.has(source))).toEqual([]);
    }
    // It deletes none of those that the other change has stored and not begun with.
    let second: Promise<unknown> | undefined;
    const first: Promise<unknown> = change(
      created,
      { active: false },
      whileWritten(2, () => {
        const { promise: areStored, resolve } = Promise.withResolvers<void>();
        const beforeLast = whileWritten(13, async () => {
          resolve();
          await first;
        });
        second = change(created, { active: true }, beforeLast);
        return areStored;
      }),
    );
    await first;
    await second;
    const there = new Set(await sources());
    expect(await expectedSources()).toHaveLength(1_000);
    expect((await expectedSources()).filter(source => !there.has(source))).toEqual([]);
  });
});
