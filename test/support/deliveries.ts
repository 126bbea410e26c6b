import { beforeEach } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as organizations from '#core/organization/organization.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { hashOf, memberId } from '#core/recipient/recipient.key.ts';
import { page } from '#core/sending/log/log.ts';
import type { Pack } from '#core/sending/pack.ts';
import { countsIn } from '#core/sending/rollup.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { insertOf } from '#local/access/requests.ts';
import type { AutomationChange } from '#shared/automation.ts';
import type { ListMemberChange } from '#shared/list-member.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { stored } from './core-automation.ts';
import { freshTable } from './engine.ts';
import { followerOf } from './follow.ts';
import { type Command, intercepted } from './intercepted.ts';
import { newSender } from './sending.ts';
import { forgetShard } from './shard.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const start = new Date('2030-01-01T09:58:30Z');
export const timeAfter = (milliseconds: number) => new Date(start.getTime() + milliseconds);

export type Sender = Awaited<ReturnType<typeof newSender>>;

export const ANN = 'ann@example.com';

export const mailed = (sender: Sender) =>
  sender.mails().map(({ at, email }) => `${at.toISOString().slice(5, 16)} ${email}`);

export const memberOf = (list: { id: string }, email: string) => memberId(list.id, hashOf(email));

/** Sweeps, and takes the queued pack from the queue; by default that of ten o'clock. */
export async function sweptPack(sender: Sender, after = 3 * MINUTE): Promise<Pack> {
  sender.at(timeAfter(after));
  await sender.sweep();
  const [message] = sender.queue.splice(0);
  if (!message) throw new Error('Nothing is queued');
  return message.pack;
}

/** The table for the tests of a file, with helpers that create and read there. */
export function deliveries() {
  const table = freshTable();
  const follow = followerOf(table);

  // Each test starts at the same time, and its sweep must not find earlier organizations.
  beforeEach(() => forgetShard(table));

  /** A list, members whose date makes them due at ten o'clock, and an automation with a template. */
  async function ready(emails = [ANN], schedule: object = {}) {
    const sender = await newSender(table, start);
    const readers = await sender.newList();
    for (const email of emails) await sender.add(readers, email, { trial_ends: '2029-12-30T10:00:20Z' });
    const { id } = await sender.newAutomation({
      email_list_ids: [readers.id],
      metadata_trigger: 'trial_ends',
      delay_days: 2,
      every_x_days: 7,
      ...schedule,
    });
    const { id: template } = await sender.newTemplate([id]);
    return { sender, readers, automation: id, template };
  }

  const log = (sender: Sender) => queryPartition(table, `ORG#${sender.organization}#LOG`);
  const states = async (sender: Sender) => (await log(sender)).flatMap(({ state }) => (state ? [state] : []));

  async function reasons(sender: Sender) {
    const skips = await queryPartition(table, `ORG#${sender.organization}#SKIPS`);
    return skips.flatMap(({ reasons }) => reasons);
  }

  async function sentOn(sender: Sender, day: string): Promise<number> {
    await follow(sender.now);
    const items = await queryPartition(table, `ORG#${sender.organization}#REPORT`, `${day}#`);
    const counts = items.flatMap(item => [...countsIn(item).counts.values()]);
    return counts.reduce((sum, { sent = 0 }) => sum + sent, 0);
  }

  const shown = async (sender: Sender, query: object = {}) =>
    (await page({ table, now: sender.now }, sender.organization, EmailSendsQuery.parse(query))).data;

  async function changeMember(
    sender: Sender,
    list: { id: string },
    fields: ListMemberChange,
    { email = ANN, now = sender.now } = {},
  ) {
    const member = await listMember.find({ table }, sender.organization, memberOf(list, email));
    return listMember.change({ table, now }, member, fields);
  }

  const storedAutomation = (sender: Sender, id: string) => stored(table, sender.organization, id);
  const changeAutomation = async (sender: Sender, id: string, fields: AutomationChange) =>
    automations.change({ table, now: sender.now }, await storedAutomation(sender, id), fields);

  /** The table of a process, which does something else instead of inserting the claims of some people. */
  const atClaims = (write: (send: () => Promise<unknown>, people: string[], command: Command) => unknown) =>
    intercepted(table, async (send, command) => {
      const items = (command.input.Statements ?? []).map(statement => insertOf(statement).item);
      const claims = items.filter(({ SK }) => String(SK).startsWith('J#'));
      return claims.length > 0
        ? write(
            send,
            claims.map(({ PK }) => String(PK)),
            command,
          )
        : send();
    });

  async function changeHours(sender: Sender, to: SendingHoursChange) {
    const [found] = await organizations.findAll({ table }, [sender.organization]);
    if (!found) throw new Error('There is no such organization');
    await sendingHours.change({ table, now: sender.now }, found, to);
  }

  /** Sweeps and delivers once; returns who is mailed, without the domain. */
  async function mailedAt(sender: Sender, time: Date): Promise<string[]> {
    const before = sender.mails().length;
    sender.at(time);
    await sender.sweep();
    await sender.deliverAll();
    const mails = sender.mails().slice(before);
    return mails.map(({ email }) => email.replace('@example.com', '')).sort();
  }

  const changes = { changeMember, changeAutomation, changeHours };
  const helpers = { shown, storedAutomation, atClaims, mailedAt, ...changes };
  return { table, follow, ready, log, states, reasons, sentOn, ...helpers };
}
