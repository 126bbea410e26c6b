import { beforeEach, describe, expect, it } from 'vitest';
import * as automation from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import type { Table } from '#core/storage/table.store.ts';
import { get } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { AutomationChange } from '#shared/automation.ts';
import { stored } from '#test/support/core-automation.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { newUser } from '#test/support/people.ts';
import { form } from '#test/support/unstored.ts';

const table = freshTable();
const now = new Date('2026-03-01T12:00:00Z');
const FULL = 'At most 100 automations can be active at once. Deactivate one of them first.';
const refused = { reason: 'invalid', errors: { active: [FULL] } };

let id: number;
beforeEach(async () => {
  id = (await newUser(table, now)).organizationId;
});

const meta = () => ({ PK: `ORG#${id}`, SK: 'META' });
const counted = async () => (await get(table, meta()))?.active_automations ?? 0;
const count = (active_automations: number) => updateItem(table, meta(), { set: { active_automations } });
const create = async (active: boolean, on: Table = table) => {
  const { id: made } = await automations.create({ table: on, now }, id, form({ active }));
  return stored(table, id, made);
};
const change = (of: automation.StoredAutomation, to: AutomationChange, on: Table = table) =>
  automations.change({ table: on, now }, of, AutomationChange.parse(to));
const remove = (of: automation.StoredAutomation, on: Table = table) =>
  automations.remove({ table: on, now }, of);

describe('the active automations of an organization', () => {
  it('are 100 at most, by whichever way, also when several become active at once', async () => {
    const [first, second, third] = [await create(false), await create(false), await create(false)];
    await count(98);
    const outcomes = await Promise.allSettled([
      change(first, { active: true }),
      change(second, { active: true }),
      change(third, { active: true }),
      create(true),
    ]);
    const reasons = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
    expect(reasons).toMatchObject([refused, refused]);
    expect(await counted()).toBe(100);
    await expect(create(true)).rejects.toMatchObject(refused);
    await expect(create(false)).resolves.toMatchObject({ active: false });
  });

  it('leave their place when they are deactivated or deleted, once', async () => {
    const [one, other] = [await create(true), await create(true)];
    await count(100);
    await change(one, { active: false });
    await change(await stored(table, id, one.id), { active: false });
    expect(await counted()).toBe(99);
    await remove(await stored(table, id, one.id));
    expect(await counted()).toBe(99);
    await Promise.allSettled([remove(other), remove(other)]);
    expect(await counted()).toBe(98);
  });

  it('keep their place while something else of them is changed, also where no other is left', async () => {
    const one = await create(true);
    await count(100);
    await change(one, { active: true, name: 'renamed', delay_days: 3 });
    expect(await counted()).toBe(100);
  });

  it('take one place where the same one is activated twice at once, though it is the last', async () => {
    const one = await create(false);
    await count(99);
    const overtaken = beforeFirst(table, 'TransactWriteCommand', () => change(one, { active: true }));
    await expect(change(one, { active: true }, overtaken)).resolves.toMatchObject({ active: true });
    expect(await counted()).toBe(100);
  });

  it('have another one where the last place becomes free while it is asked for', async () => {
    const [one, other] = [await create(true), await create(false)];
    await count(100);
    const freed = beforeFirst(table, 'BatchGetCommand', () => change(one, { active: false }));
    await expect(change(other, { active: true }, freed)).resolves.toMatchObject({ active: true });
    expect(await counted()).toBe(100);
  });

  it('are counted right wherever a process dies', { timeout: 600_000 }, async () => {
    const active = async () => (await automation.readAll(table, id)).filter(one => one.active).length;
    const isRight = async () => expect(await counted()).toBe(await active());
    const some = (isActive: boolean) => async () => {
      await isRight();
      return create(isActive);
    };
    await crashingAtEachWrite(table, isRight, on => create(true, on));
    await crashingAtEachWrite(table, some(true), (on, found) => change(found, { active: false }, on));
    await crashingAtEachWrite(table, some(false), (on, found) => change(found, { active: true }, on));
    await crashingAtEachWrite(table, some(true), (on, found) => remove(found, on));
    await isRight();
  });
});
