import { beforeEach, describe, expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as organization from '#core/organization/organization.ts';
import { readAll, readSince } from '#core/organization/switches.ts';
import { explain } from '#core/person/explanation.ts';
import * as resendStore from '#core/sending/claim/resend.ts';
import * as foundStore from '#core/sending/log/email.ts';
import { newSeed, sendDraftTest, sendTest } from '#core/sending/preview.ts';
import {
  mayHaveBeenSent,
  readStage,
  recordRestored,
  start as startSending,
  status,
  stop,
} from '#core/sending/stop.ts';
import { batchWrite, getAll, type Key, queryPartition } from '#core/storage/table.store.ts';
import { DraftTest } from '#shared/test-email.ts';
import { template } from '#test/support/content.ts';
import {
  deliveries,
  MINUTE,
  mailed,
  memberOf,
  type Sender,
  start,
  sweptPack,
  timeAfter,
} from '#test/support/deliveries.ts';
import { postbox } from '#test/support/people.ts';
import { UNKNOWN } from '#test/support/sending.ts';

const { table, ready, reasons, states, storedAutomation } = deliveries();
const SECOND = 1000;

// What holds for the stage would hold for the next test.
beforeEach(async () => {
  const recorded = (await queryPartition(table, 'STAGE#SWITCHES')) as Key[];
  await batchWrite(table, { deletes: [{ PK: 'STAGE', SK: 'SENDING' }, ...recorded] });
});

/** Of the whole stage, and of one organization. */
const EACH = [
  ['of a stage', () => undefined],
  ['of an organization', (sender: Sender) => sender.organization],
] as const;

describe.each(EACH)('sending %s that is stopped', (_, of) => {
  const needs = (sender: Sender) => ({ table, now: sender.now, organization: of(sender) });

  it('posts nothing more five seconds later, though it was claimed, and says so in the log', async () => {
    const { sender } = await ready();
    const pack = await sweptPack(sender);
    const { post } = sender.needs.providers.mailgun;
    sender.needs.providers.mailgun.post = async (access, emails, mayContinue) => {
      await stop(needs(sender));
      sender.at(new Date(sender.now.getTime() + 5 * SECOND + 1));
      return post(access, emails, mayContinue);
    };
    await sender.needs.queue(pack, 0);
    await sender.deliverAll();
    expect(sender.posts).toEqual([]);
    expect(await states(sender)).toEqual(['released']);
    // Queued again, and decided on.
    await sender.run(timeAfter(10 * MINUTE));
    expect(sender.posts).toEqual([]);
    expect(await reasons(sender)).toEqual(['stopped']);
  });

  it('neither sweeps nor sends what is queued', async () => {
    const { sender } = await ready(['ann@example.com', 'bo@example.com']);
    const pack = await sweptPack(sender);
    await stop(needs(sender));
    await sender.needs.queue(pack, 0);
    await sender.run(timeAfter(5 * MINUTE));
    expect([sender.posts, await reasons(sender)]).toEqual([[], ['stopped']]);
    const other = await ready();
    if (of(sender) === undefined) {
      await other.sender.run(timeAfter(5 * MINUTE));
      expect([other.sender.posts, other.sender.queue]).toEqual([[], []]);
    }
  });

  it('sends what falls due from the minute on in which it is started again, and skips what fell due before', async () => {
    const { sender, readers } = await ready();
    const add = (name: string, time: string) =>
      sender.add(readers, `${name}@example.com`, { trial_ends: `2029-12-30T${time}:20Z` });
    await add('late', '10:06');
    await add('first', '10:07');
    sender.at(timeAfter(MINUTE));
    await stop(needs(sender));
    await sender.run(timeAfter(7 * MINUTE));
    expect(sender.now.toISOString()).toBe('2030-01-01T10:05:30.000Z');
    const { sending_since } = await startSending(needs(sender));
    expect(sending_since).toBe('2030-01-01T10:07:00.000Z');
    await sender.run(timeAfter(15 * MINUTE));
    expect(mailed(sender)).toEqual(['01-01T10:08 first@example.com']);
  });

  it('sends no email again whose outcome is unknown', async () => {
    const { sender, readers } = await ready();
    sender.answers(UNKNOWN);
    await sender.run(timeAfter(3 * MINUTE));
    const id = memberOf(readers, 'ann@example.com').replace(/^[^-]+-/, '');
    const again = async () => {
      const { queue, ...others } = sender.needs;
      const key = `${id}-1`;
      const stored = await getAll(table, foundStore.keysOf(sender.organization, key));
      const email = foundStore.found(sender.organization, key, stored);
      return resendStore.resend({ ...others, queue, now: sender.now }, email, 'user-1');
    };
    // As far as the safeguards ask for.
    sender.at(timeAfter(10 * MINUTE));
    await again();
    await stop(needs(sender));
    await sender.run(timeAfter(12 * MINUTE));
    expect([sender.posts.length, await reasons(sender)]).toEqual([1, ['stopped']]);
    await expect(again()).rejects.toThrow('Sending was stopped by the operator of this service.');
    await startSending(needs(sender));
    sender.at(timeAfter(15 * MINUTE));
    await again();
    await sender.run(timeAfter(17 * MINUTE));
    expect(sender.posts).toHaveLength(2);
  });

  it('mails no test email either, of content that is stored or not', async () => {
    const { sender, automation } = await ready();
    await stop(needs(sender));
    const found = await storedAutomation(sender, automation);
    const test = { to: 'owner@example.com', seed: newSeed() };
    await expect(
      sendTest({ ...sender.needs, now: sender.now, organization: {} }, found, test),
    ).rejects.toThrow('Sending is stopped by the operator of this service.');
    const { mails, mailer } = postbox();
    const organization = { id: sender.organization, name: 'Post office' };
    const draft = (from: typeof mailer | undefined) =>
      sendDraftTest(
        { ...sender.needs, now: sender.now, organization, mailer: from },
        DraftTest.parse(template()),
        'owner@example.com',
      );
    await expect(draft(mailer)).rejects.toThrow('Sending is stopped by the operator of this service.');
    expect([sender.posts, mails]).toEqual([[], []]);
    await startSending(needs(sender));
    await expect(draft(undefined)).rejects.toThrow('No emails are sent from here without a list.');
    await draft(mailer);
    expect(mails).toMatchObject([{ to: 'owner@example.com', letter: { subject: '[Test] Welcome aboard' } }]);
  });

  it('says since when, which a second stop does not change, nor that of somebody else at once', async () => {
    const { sender } = await ready();
    expect(await status(needs(sender))).toEqual({});
    expect(await startSending(needs(sender))).toEqual({});
    const both = await Promise.all([stop(needs(sender)), stop({ ...needs(sender), now: timeAfter(SECOND) })]);
    expect(both[0]).toEqual(both[1]);
    sender.at(timeAfter(MINUTE));
    expect(await stop(needs(sender))).toEqual(both[0]);
    expect(await status(needs(sender))).toEqual(both[0]);
    const record = await readSince(table, of(sender), start);
    const { stopped_since: at } = both[0];
    const stops = record.filter(({ what }) => what === 'sending');
    expect(stops).toEqual([{ at, what: 'sending', on: false, by: 'operator' }]);
  });

  it('is an obstacle that a list member shows, and the reason of what was not sent', async () => {
    const { sender, readers, automation } = await ready();
    await stop(needs(sender));
    await sender.run(timeAfter(5 * MINUTE));
    const explained = async () => {
      const id = memberOf(readers, 'ann@example.com');
      const member = await listMember.find({ table }, sender.organization, id);
      return explain({ table, now: sender.now }, member, await storedAutomation(sender, automation));
    };
    expect(await explained()).toMatchObject({
      obstacles: ['stopped'],
      past: [{ due_at: '2030-01-01T10:00:00.000Z', status: 'skipped', reason: 'stopped' }],
      switched: expect.arrayContaining([
        { at: start.toISOString(), what: 'sending', on: false, by: 'operator' },
      ]),
    });
    await startSending(needs(sender));
    sender.at(timeAfter(20 * MINUTE));
    expect(await explained()).toMatchObject({ obstacles: [], past: [{ reason: 'stopped' }] });
  });
});

it('what is stopped of one organization goes on in another', async () => {
  const [one, other] = [await ready(), await ready()];
  await stop({ table, now: start, organization: one.sender.organization });
  await other.sender.run(timeAfter(5 * MINUTE));
  expect(mailed(other.sender)).toHaveLength(1);
  expect(await readAll(table, other.sender.organization)).not.toContainEqual(
    expect.objectContaining({ what: 'sending' }),
  );
});

it('an organization that does not exist, or is deleted, cannot be stopped', async () => {
  const { sender } = await ready();
  const second = await organization.create({ table, now: start }, sender.acting.membership.user_id, 'Annex');
  const active = await organization.activeFor({ table }, sender.acting.membership.user_id, second.id);
  if (!active) throw new Error('It was not created');
  await organization.remove({ table, now: start }, active);
  for (const id of [second.id, 99_999]) {
    await expect(stop({ table, now: start, organization: id })).rejects.toThrow('There is no organization');
  }
});

describe('a table that was restored', () => {
  const noteAt = (now: Date, from: Date, until: Date) =>
    recordRestored({ table, now }, { from, until, stopped: until });
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;

  it('keeps in mind for eight days of which time nothing is known, and of none that ends before it begins', async () => {
    const noted = async () => (await readStage(table)).restored?.map(({ until }) => until);
    const [first, second, third] = [0, 8 * DAY, 8 * DAY + 1].map(timeAfter) as [Date, Date, Date];
    await noteAt(start, timeAfter(-HOUR), first);
    await noteAt(start, timeAfter(2 * HOUR), timeAfter(HOUR));
    expect(await noted()).toEqual([first.toISOString()]);
    await noteAt(second, timeAfter(8 * DAY - HOUR), second);
    expect(await noted()).toEqual([first, second].map(one => one.toISOString()));
    await noteAt(third, timeAfter(8 * DAY - HOUR), third);
    expect(await noted()).toEqual([second, third].map(one => one.toISOString()));
  });

  it.each([
    ['2030-01-01', true, true],
    // At eleven o'clock it is one at night of the next day in the easternmost time zone.
    ['2030-01-02', true, false],
    ['2030-01-03', false, false],
  ])('may have sent an email of %s, where it goes at a time of day: %s, else: %s', (day, timed, untimed) => {
    const stage = { restored: [{ from: '2030-01-01T10:00:00.000Z', until: '2030-01-01T11:00:00.000Z' }] };
    const may = (isTimed: boolean) => mayHaveBeenSent(stage, { key: `automation#${day}#1` }, { isTimed });
    expect([may(true), may(false)]).toEqual([timed, untimed]);
  });
});
