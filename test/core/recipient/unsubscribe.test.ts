import { describe, expect, it } from 'vitest';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { recordVisit, subscribeAgain, unsubscribe } from '#core/recipient/unsubscribe.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import type { Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, INSERT } from '#test/support/intercepted.ts';
import { newSent } from '#test/support/sent.ts';

const table = freshTable();
const DAY = 24 * 60 * 60 * 1000;
const start = new Date('2030-01-01T09:58:30Z');
const now = new Date('2030-01-01T10:30:00Z');
const needs = { table, now };
const later = { table, now: new Date('2030-01-01T11:00:00Z') };
type Somebody = Awaited<ReturnType<typeof newSent>>;

const suppress = (of: Somebody, suppression: string) =>
  updateItem(table, { PK: `R#${of.key.organization}#${of.key.hash}`, SK: 'HEAD' }, { set: { suppression } });
const toggle = async ({ key, list }: Somebody, is_subscribed: boolean) => {
  const found = await listMember.find({ table }, key.organization, recipientKey.memberId(list.id, key.hash));
  await listMember.change(needs, found, { is_subscribed });
};

describe('Looking at the page', () => {
  it('stores the first time that a person did, and changes nothing else', async () => {
    const { sent, claim, member, triggers } = await newSent(table, start);
    const before = [await member(), await triggers()];
    expect(await recordVisit(needs, sent, 'machine')).toBe('subscribed');
    expect(await claim()).not.toHaveProperty('unsub_clicked_at');
    expect(await recordVisit(needs, sent, 'person')).toBe('subscribed');
    expect(await recordVisit(later, sent, 'person')).toBe('subscribed');
    expect(await claim()).toMatchObject({ unsub_clicked_at: now.toISOString() });
    expect([await member(), await triggers()]).toEqual(before);
  });
});

describe('Unsubscribing', () => {
  it('takes effect at once, in one transaction with the journal, the trigger rows and the email', async () => {
    const metadata = { trial_ends: '2030-06-01T10:00:00Z' };
    const { sent, claim, member, triggers, journal, sender } = await newSent(table, start, { metadata });
    expect(await triggers()).toHaveLength(2);
    expect(await unsubscribe(needs, sent, 'page')).toBe('unsubscribed');
    expect(await member()).toMatchObject({ status: 'unsubscribed', by: 'page' });
    expect(await triggers()).toEqual([]);
    expect(await claim()).toMatchObject({ unsubscribed_at: now.toISOString() });
    expect(await journal()).toMatchObject([
      { seq: 2, type: 'unsubscribed', by: 'page', email: 1, at: now.toISOString() },
    ]);
    sender.at(new Date(start.getTime() + DAY));
    await sender.run(new Date(start.getTime() + DAY + 5 * 60_000));
    expect(sender.mails()).toHaveLength(1);
  });

  it('twice, also at once, changes nothing more', async () => {
    const { sent, rows } = await newSent(table, start);
    const both = [unsubscribe(needs, sent, 'one_click'), unsubscribe(needs, sent, 'page')];
    expect(await Promise.all(both)).toEqual(['unsubscribed', 'unsubscribed']);
    const before = await rows();
    expect(before.filter(({ type }) => type === 'unsubscribed')).toHaveLength(1);
    expect(await unsubscribe(later, sent, 'page')).toBe('unsubscribed');
    expect(await rows()).toEqual(before);
  });

  it('once more by the same email, after subscribing again, counts once', async () => {
    const { sent, claim, journal } = await newSent(table, start);
    await unsubscribe(needs, sent, 'page');
    expect(await subscribeAgain(needs, sent)).toBe('subscribed');
    expect(await unsubscribe(later, sent, 'page')).toBe('ended');
    expect(await claim()).toMatchObject({ unsubscribed_at: now.toISOString() });
    expect((await journal()).map(({ type }) => type)).toEqual(['unsubscribed', 'subscribed', 'unsubscribed']);
  });

  it('is done as a whole or not at all, wherever its process dies, and by the next attempt', async () => {
    const prepare = () => newSent(table, start);
    await crashingAtEachWrite(table, prepare, async (on, { sent, member, claim, journal, triggers }) => {
      const state = async () => [
        (await member())?.status,
        (await claim())?.unsubscribed_at,
        (await journal()).length,
        (await triggers()).length,
      ];
      const done = ['unsubscribed', now.toISOString(), 1, 0];
      try {
        await unsubscribe({ table: on, now }, sent, 'page');
      } finally {
        expect([done, ['subscribed', undefined, 0, 1]]).toContainEqual(await state());
        await unsubscribe(needs, sent, 'page');
        expect(await state()).toEqual(done);
      }
    });
  });

  it('leaves everybody else as they are: another organization, another email, another list', async () => {
    const [ann, other] = [await newSent(table, start), await newSent(table, start)];
    const before = await other.rows();
    await unsubscribe(needs, ann.sent, 'page');
    expect(await other.rows()).toEqual(before);
  });

  it.each<[string, (of: Somebody) => Promise<unknown>]>([
    ['an email that does not exist', async () => {}],
    ['somebody who was removed', ({ key, list }) => recipient.leave(needs, key, list.id, 'app')],
    ['an erased person', ({ key, email }) => recipient.erase(needs, key.organization, email)],
    ['a purged organization', ({ key }) => purge(table, key.organization)],
  ])('of %s writes nothing', async (name, happen) => {
    const of = await newSent(table, start);
    await happen(of);
    const sent = name.includes('does not exist') ? { ...of.sent, seq: 77 } : of.sent;
    const before = await of.rows();
    expect(await recordVisit(later, sent, 'person')).toBe('gone');
    expect(await unsubscribe(later, sent, 'page')).toBe('gone');
    expect(await subscribeAgain(later, sent)).toBe('gone');
    expect(await of.rows()).toEqual(before);
  });
});

async function purge(on: Table, organization: number): Promise<void> {
  for await (const _ of recipient.purgePeople(on, organization));
}

describe('Subscribing again', () => {
  it('brings the trigger rows back', async () => {
    const { sent, member, triggers, journal } = await newSent(table, start);
    const before = await triggers();
    await unsubscribe(needs, sent, 'one_click');
    expect(await subscribeAgain(later, sent)).toBe('subscribed');
    expect(await subscribeAgain(later, sent)).toBe('subscribed');
    expect(await member()).toMatchObject({ status: 'subscribed', by: 'page' });
    expect(await triggers()).toEqual(before);
    expect((await journal())[0]).toMatchObject({ type: 'subscribed', by: 'page', email: 1 });
  });

  it('is possible once by each email, so that no link makes a journal grow without end', async () => {
    const { sent, rows, claim } = await newSent(table, start);
    for (let round = 0; round < 2; round++) {
      await unsubscribe(needs, sent, 'page');
      await subscribeAgain(needs, sent);
    }
    expect(await claim()).toMatchObject({ resubscribed_at: now.toISOString() });
    const before = await rows();
    expect(await subscribeAgain(later, sent)).toBe('ended');
    expect(await unsubscribe(later, sent, 'page')).toBe('ended');
    expect(await rows()).toEqual(before);
  });

  it('is possible by the email that unsubscribed them alone, for three days', async () => {
    const of = await newSent(table, start);
    of.sender.at(new Date(start.getTime() + DAY));
    await of.sender.run(new Date(start.getTime() + DAY + 5 * 60_000));
    const second = { ...of.sent, seq: 2 };
    const onDay = (days: number) => ({ table, now: new Date(start.getTime() + (1 + days) * DAY) });
    expect(await unsubscribe(onDay(1), second, 'one_click')).toBe('unsubscribed');
    expect(await recordVisit(onDay(1), of.sent, 'machine')).toBe('ended');
    expect(await subscribeAgain(onDay(1), of.sent)).toBe('ended');
    expect(await recordVisit(onDay(4.1), second, 'machine')).toBe('ended');
    expect(await subscribeAgain(onDay(4.1), second)).toBe('ended');
    expect(await subscribeAgain(onDay(3.9), second)).toBe('subscribed');
  });

  it('is not possible by an email that unsubscribed them before another one did', async () => {
    const of = await newSent(table, start);
    of.sender.at(new Date(start.getTime() + DAY));
    await of.sender.run(new Date(start.getTime() + DAY + 5 * 60_000));
    const soon = { table, now: of.sender.now };
    await unsubscribe(soon, of.sent, 'page');
    await toggle(of, true);
    await unsubscribe(soon, { ...of.sent, seq: 2 }, 'page');
    expect(await subscribeAgain(soon, of.sent)).toBe('ended');
    expect((await of.member())?.status).toBe('unsubscribed');
  });

  it('is offered to who was unsubscribed by a button of the provider', async () => {
    const of = await newSent(table, start);
    await unsubscribe(needs, of.sent, 'page');
    const { PK, SK } = (await of.member()) as { PK: string; SK: string };
    await updateItem(table, { PK, SK }, { set: { by: 'provider' } });
    expect(await recordVisit(needs, of.sent, 'machine')).toBe('unsubscribed');
    expect(await subscribeAgain(needs, of.sent)).toBe('subscribed');
  });

  it('is not for members unsubscribed by somebody else', async () => {
    const of = await newSent(table, start);
    await toggle(of, false);
    const before = await of.rows();
    expect(await recordVisit(needs, of.sent, 'machine')).toBe('ended');
    expect(await subscribeAgain(needs, of.sent)).toBe('ended');
    expect(await of.rows()).toEqual(before);
  });

  it.each(['complaint', 'bounce'])('is not for who is suppressed, by a %s', async suppression => {
    const of = await newSent(table, start);
    await unsubscribe(needs, of.sent, 'page');
    await suppress(of, suppression);
    const before = await of.rows();
    expect(await recordVisit(needs, of.sent, 'machine')).toBe(suppression);
    expect(await subscribeAgain(needs, of.sent)).toBe(suppression);
    expect(await of.rows()).toEqual(before);
  });

  it('is not for who is suppressed meanwhile', async () => {
    const of = await newSent(table, start);
    await unsubscribe(needs, of.sent, 'page');
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => suppress(of, 'complaint'));
    expect(await subscribeAgain({ table: meanwhile, now }, of.sent)).toBe('complaint');
    expect([(await of.member())?.status, (await of.triggers()).length]).toEqual(['unsubscribed', 0]);
  });
});

describe('An email that is being claimed while somebody unsubscribes', () => {
  async function due() {
    const of = await newSent(table, start);
    of.sender.at(new Date(start.getTime() + DAY + 120_000));
    await of.sender.sweep();
    // After what is looked at again, as the automation was switched on a moment before.
    const queued = of.sender.queue.splice(0).at(-1);
    if (!queued) throw new Error('Nothing is due');
    const at = { table, now: of.sender.now };
    const send = (on: Table) => deliver({ ...of.sender.needs, table: on }, queued.pack);
    return { ...of, at, send };
  }
  const claims = async ({ rows }: Somebody) =>
    (await rows('J#')).filter(({ type, released }) => type === 'send' && !released);

  it('is not claimed where they were first', async () => {
    const of = await due();
    await of.send(beforeFirst(table, INSERT, () => unsubscribe(of.at, of.sent, 'page')));
    expect(await claims(of)).toHaveLength(1);
    expect(of.sender.mails()).toHaveLength(1);
  });

  it('is claimed before them where it was first, and they are unsubscribed all the same', async () => {
    const of = await due();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => of.send(table));
    expect(await unsubscribe({ ...of.at, table: meanwhile }, of.sent, 'page')).toBe('unsubscribed');
    expect((await of.rows('J#')).map(({ type }) => type)).toEqual(['unsubscribed', 'send', 'send']);
    expect(await of.triggers()).toEqual([]);
  });

  it('never follows them in the journal, whoever is first', async () => {
    for (let round = 0; round < 5; round++) {
      const of = await due();
      await Promise.all([of.send(table), unsubscribe(of.at, of.sent, 'one_click')]);
      const types = (await of.rows('J#')).map(({ type, released }) => (released ? 'released' : type));
      expect(['unsubscribed,send', 'unsubscribed,send,send', 'unsubscribed,released,send']).toContain(
        types.join(),
      );
      expect(await of.member()).toMatchObject({ status: 'unsubscribed' });
    }
  });
});
