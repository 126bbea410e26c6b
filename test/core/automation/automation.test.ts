import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import * as organization from '#core/organization/organization.ts';
import { batchWrite, get, type Table } from '#core/storage/table.store.ts';
import { AutomationChange, UNKNOWN_COLUMN, UNKNOWN_LIST } from '#shared/automation.ts';
import { addColumn, createAutomation, newLists, sourcesOf, stored } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { actingIn, newUser } from '#test/support/people.ts';
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
    const automation = await create();
    const meta = await get(table, { PK: `ORG#${id}`, SK: 'META' });
    await batchWrite(table, { puts: [{ ...meta, PK: `ORG#${id}`, SK: 'META', automations: 1_000 }] });
    const full = {
      reason: 'conflict',
      message: 'An organization can have at most 1,000 automations. Delete one that is no longer needed.',
    };
    await expect(create()).rejects.toMatchObject(full);
    await remove(automation);
    await create();
    await expect(create()).rejects.toMatchObject(full);
  });

  it('that is deleted gets no automation', async () => {
    const owner = await newUser(table, now);
    const { id: gone } = await organization.create({ table, now }, owner.id, 'Annex');
    await organization.remove({ table, now }, await actingIn(table, owner.id, gone));
    await expect(automations.create({ table, now }, gone, form())).rejects.toMatchObject({
      reason: 'conflict',
    });
    expect(await automationStore.readAll(table, gone)).toEqual([]);
  });
});
