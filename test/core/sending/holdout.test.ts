import { beforeEach, describe, expect, it } from 'vitest';
import * as sequences from '#core/automation/sequence.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organizations from '#core/organization/organization.ts';
import { explain } from '#core/person/explanation.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import * as dryRuns from '#core/sending/forecast/dry-run.ts';
import { withAutomation } from '#core/sending/forecast/predict.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { NewSequence } from '#shared/sequence.ts';
import { broadcastsIn, DAY } from '#test/support/broadcasts.ts';
import {
  deliveries,
  HOUR,
  MINUTE,
  memberOf,
  type Sender,
  start,
  timeAfter,
} from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, ready, shown, storedAutomation, changeAutomation } = deliveries();
const { ready: readyBroadcast } = broadcastsIn(table);

const NAMES = Array.from({ length: 30 }, (_, nth) => `reader${nth}@example.com`);
const DUE = timeAfter(3 * MINUTE);
const needs = (sender: Sender) => ({ table, now: sender.now, hasTimeLeft: () => true });

const heldOutOf = (of: string, percent: number, names = NAMES) =>
  names.filter(name => holdout.isHeldOut(hashOf(name), of, percent));
const others = (held: string[], names = NAMES) => names.filter(name => !held.includes(name)).sort();
const skipped = async (sender: Sender) =>
  (await shown(sender, { per_page: 100, status: 'skipped' }))
    .map(({ recipient_email, reason }) => `${recipient_email} ${reason}`)
    .sort();
const saidOf = (held: string[]) => held.map(name => `${name} held_out`).sort();

async function holdOutOfAll(sender: Sender, percent: number) {
  const known = await organizations.findLiving({ table }, sender.organization);
  await holdout.change({ table, now: sender.now }, known, { percent });
}

describe('an automation', () => {
  let sender: Sender;
  let readers: { id: string };
  let automation = '';
  beforeEach(async () => {
    ({ sender, readers, automation } = await ready(NAMES, { holdout_percent: 40 }));
  });

  it('sends nothing to who is held out, and the log says why', async () => {
    const held = heldOutOf(automation, 40);
    await sender.run(DUE);
    expect(sender.mailedTo()).toEqual(others(held));
    expect(await skipped(sender)).toEqual(saidOf(held));
  });

  it('the simulation, the forecast of a change and "Why?" count them as they are skipped', async () => {
    const held = heldOutOf(automation, 40);
    const stored = await storedAutomation(sender, automation);
    const { will_send, skipped: why } = await simulate(needs(sender), stored);
    expect([will_send, why]).toEqual([NAMES.length - held.length, { held_out: held.length }]);
    const member = await listMember.find({ table }, sender.organization, memberOf(readers, held[0] ?? ''));
    expect((await explain(needs(sender), member, stored)).obstacles).toEqual(['held_out']);
    await sender.run(DUE);
    const { past } = await explain(needs(sender), member, stored);
    expect(past[0]).toMatchObject({ status: 'skipped', reason: 'held_out' });
  });

  it('a lower holdout asks whom it reaches; they get what is due from then on, and nothing that they missed', async () => {
    const [held, still] = [heldOutOf(automation, 40), heldOutOf(automation, 15)];
    await sender.run(DUE);
    const stored = await storedAutomation(sender, automation);
    sender.at(timeAfter(6 * DAY + 12 * HOUR));
    const asked = await dryRuns.dryRun(
      needs(sender),
      sender.organization,
      withAutomation({ ...stored, holdout_percent: 15 }),
    );
    expect(asked.next_24_hours).toMatchObject({ people_more: held.length - still.length, people_fewer: 0 });
    await changeAutomation(sender, automation, { holdout_percent: 15 });
    const before = sender.mailedTo().length;
    await sender.run(timeAfter(6 * DAY + 13 * HOUR));
    expect(sender.mailedTo()).toHaveLength(before);
    sender.at(timeAfter(7 * DAY));
    await sender.run(timeAfter(7 * DAY + 3 * MINUTE));
    expect(sender.mailedTo().slice().sort()).toEqual([...others(held), ...others(still)].sort());
  });

  it('who is held out uses up nothing of a limit: another automation mails them at the same minute', async () => {
    const fields = {
      name: 'other',
      email_list_ids: [readers.id],
      metadata_trigger: 'trial_ends',
      delay_days: 2,
    };
    const other = await sender.newAutomation({ ...fields, every_x_days: 7 });
    await sender.newTemplate([other.id]);
    await sender.run(DUE);
    const held = heldOutOf(automation, 40);
    expect(held.every(name => sender.mailedTo().filter(to => to === name).length === 1)).toBe(true);
    expect((await skipped(sender)).filter(text => text.endsWith('held_out'))).toEqual(saidOf(held));
  });

  it('the copies of an email whose first one is held out are held out too', async () => {
    await changeAutomation(sender, automation, { double_send_first: true });
    await sender.run(DUE);
    sender.at(timeAfter(6 * HOUR));
    await sender.run(timeAfter(6 * HOUR + 3 * MINUTE));
    const held = heldOutOf(automation, 40);
    expect(sender.mailedTo()).toEqual([...others(held), ...others(held)].sort());
    expect(new Set(await skipped(sender))).toEqual(new Set(saidOf(held)));
  });

  it('the holdout of an organization holds the same people out of all it sends, with the same dry run', async () => {
    await changeAutomation(sender, automation, { holdout_percent: 0 });
    const held = heldOutOf(`organization ${sender.organization}`, 30);
    const asked = await dryRuns.dryRun(
      needs(sender),
      sender.organization,
      dryRuns.withHoldout({ percent: 30 }),
    );
    expect(asked.next_7_days).toEqual({ emails: -held.length, people_more: 0, people_fewer: held.length });
    await holdOutOfAll(sender, 30);
    const member = await listMember.find({ table }, sender.organization, memberOf(readers, held[0] ?? ''));
    const stored = await storedAutomation(sender, automation);
    expect((await explain(needs(sender), member, stored)).obstacles).toEqual(['held_out']);
    await sender.run(DUE);
    expect(sender.mailedTo()).toEqual(others(held));
    expect(await skipped(sender)).toEqual(saidOf(held));
  });
});

it('the steps of a sequence hold out the same people, by the hash of the sequence', async () => {
  const own = await newSender(table, start);
  const list = await own.newList();
  const sequence = await sequences.create(
    { table, now: own.now },
    own.organization,
    NewSequence.parse({
      name: 'Onboarding',
      email_list_ids: [list.id],
      active: true,
      steps: [{ delay_days: 0 }, { delay_days: 1 }],
      holdout_percent: 40,
    }),
  );
  await own.newTemplate(sequence.steps.map(({ automation_id }) => automation_id));
  own.at(timeAfter(MINUTE));
  for (const name of NAMES) await own.add(list, name);
  await own.run(timeAfter(4 * MINUTE));
  own.at(timeAfter(DAY));
  await own.run(timeAfter(DAY + 4 * MINUTE));
  const held = heldOutOf(sequence.id, 40);
  expect(own.mailedTo()).toEqual([...others(held), ...others(held)].sort());
  expect(await skipped(own)).toEqual([...saidOf(held), ...saidOf(held)].sort());
  const step = await storedAutomation(own, sequence.steps[0]?.automation_id ?? '');
  const refused = changeAutomation(own, step.id, { holdout_percent: 10 });
  await expect(refused).rejects.toMatchObject({ reason: 'conflict' });
});

it('a broadcast holds out who is chosen before it begins; from then on its holdout is refused at the field', async () => {
  const members = Object.fromEntries(NAMES.map(name => [name.replace('@example.com', ''), {}]));
  const { sender: own, id, change, shown: read, forecast } = await readyBroadcast([members]);
  await change({ holdout_percent: 50 });
  const held = heldOutOf(id, 50);
  expect((await forecast()).not_sent).toEqual({ held_out: held.length });
  await change({ status: 'scheduled' });
  await expect(change({ holdout_percent: 0 })).rejects.toMatchObject({
    reason: 'invalid',
    errors: { holdout_percent: [expect.stringContaining('begun')] },
  });
  expect((await read()).holdout_percent).toBe(50);
  await own.run(timeAfter(4 * MINUTE));
  expect(own.mailedTo()).toEqual(others(held));
  expect(await skipped(own)).toEqual(saidOf(held));
});
