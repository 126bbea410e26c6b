import { expect, it } from 'vitest';
import * as firstSteps from '#core/home/first-steps.ts';
import * as organization from '#core/organization/organization.ts';
import { bucketOf } from '#core/sending/rollup.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { setSubscribed } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { actingIn, newMember, newUser } from '#test/support/people.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const now = new Date('2026-03-10T09:00:00Z');
const needs = { table, now };
const combination = '0123456789ab';

async function newScene() {
  const sender = await newSender(table, now);
  const again = () => actingIn(table, sender.acting.membership.user_id, sender.organization);
  const read = async (at = now) => firstSteps.firstSteps({ table, now: at }, await again());
  return {
    sender,
    again,
    read,
    done: async () => (await read()).steps.flatMap(({ step, is_done }) => (is_done ? [step] : [])),
    counted: (day: string, counts: Record<string, number>) => {
      const key = { PK: `ORG#${sender.organization}#REPORT`, SK: `${day}#${bucketOf(combination)}` };
      const fields = Object.entries(counts).map(([letter, count]) => [`${letter}${combination}`, count]);
      return batchWrite(table, { puts: [{ ...key, ...Object.fromEntries(fields) }] });
    },
  };
}

it('they tick themselves off one after the other, and are over with the first email that was opened', async () => {
  const { sender, read, done, counted } = await newScene();
  expect(await read()).toMatchObject({ is_shown: true, list_id: null, automation_id: null });
  expect(await done()).toEqual([]);
  const keyless = await sender.newList({ key: false });
  expect(await done()).toEqual(['list']);
  expect((await read()).list_id).toBe(keyless.id);
  const list = await sender.newList();
  await setSubscribed(table, list, 2);
  expect(await done()).toEqual(['list', 'key', 'members']);
  const { id } = await sender.newAutomation({ name: 'welcome', email_list_ids: [list.id], active: false });
  // It has nothing to send yet.
  expect(await done()).toEqual(['list', 'key', 'members']);
  expect((await read()).automation_id).toBe(id);
  await sender.newTemplate([id]);
  const created = ['list', 'key', 'members', 'content', 'automation'];
  expect(await done()).toEqual(created);
  // Once an automation is active, the step of simulating it counts as done.
  const { id: second } = await sender.newAutomation({ name: 'second', email_list_ids: [list.id] });
  await sender.newTemplate([second], { name: 'Other' });
  expect(await done()).toEqual([...created, 'simulation', 'activation']);
  await counted('2026-03-09', { s: 2 });
  expect((await read()).steps.filter(({ is_done }) => !is_done)).toEqual([
    { step: 'opened', is_done: false },
  ]);
  await counted('2026-03-09', { s: 2, o: 1 });
  expect(await read()).toMatchObject({ is_shown: false, is_dismissed: false, steps: [] });
});

it('who has sent before has done what comes before it, whatever was deleted since', async () => {
  const { done, counted } = await newScene();
  await counted('2026-03-09', { s: 1 });
  const before = ['list', 'key', 'members', 'content', 'automation', 'simulation', 'activation'];
  expect(await done()).toEqual([...before, 'sent']);
});

it('an organization that began a month ago does not see them, though nobody opens its emails', async () => {
  const { read, counted } = await newScene();
  await counted('2026-03-01', { s: 1 });
  expect((await read(new Date('2026-03-30T23:59:00Z'))).is_shown).toBe(true);
  expect((await read(new Date('2026-03-31T00:00:00Z'))).is_shown).toBe(false);
});

it('one member dismisses them for all, once or twice, and may show them again', async () => {
  const { sender, again, read } = await newScene();
  const colleague = await newMember(table, now, sender.organization);
  const asColleague = await actingIn(table, colleague.id, sender.organization);
  for (const _ of ['once', 'twice']) {
    await firstSteps.dismiss(needs, asColleague, true);
    expect(await read()).toMatchObject({ is_shown: false, is_dismissed: true });
  }
  for (const _ of ['once', 'twice']) {
    await firstSteps.dismiss(needs, await again(), false);
    expect(await read()).toMatchObject({ is_shown: true, is_dismissed: false });
  }
});

it('the first simulation is written down, of several at once one', async () => {
  const { again, done } = await newScene();
  const before = await again();
  const instants = [0, 1, 2].map(minutes => new Date(now.getTime() + minutes * 60_000));
  await Promise.all(instants.map(at => firstSteps.recordSimulation({ table, now: at }, before)));
  const { simulated_at } = (await again()).organization;
  expect(instants.map(at => at.toISOString())).toContain(simulated_at);
  await firstSteps.recordSimulation({ table, now: new Date('2026-03-11T09:00:00Z') }, before);
  expect((await again()).organization.simulated_at).toBe(simulated_at);
  expect(await done()).toEqual(['simulation']);
});

it('a deleted organization is not created again', async () => {
  const owner = await newUser(table, now);
  const { id } = await organization.create(needs, owner.id, 'Depot');
  const acting = await actingIn(table, owner.id, id);
  await organization.remove(needs, acting);
  await expect(firstSteps.dismiss(needs, acting, true)).rejects.toMatchObject({ reason: 'not-found' });
  await firstSteps.recordSimulation(needs, acting);
  expect((await organization.findAll({ table }, [id])).length).toBe(0);
});
