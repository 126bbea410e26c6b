import { beforeEach, describe, expect, it } from 'vitest';
import type { CountedList } from '#core/list/list.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { finish, restore } from '#core/operations/restore.ts';
import * as organizations from '#core/organization/organization.store.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import * as resendStore from '#core/sending/claim/resend.ts';
import * as foundStore from '#core/sending/log/email.ts';
import * as stops from '#core/sending/stop.ts';
import { partitionOf } from '#core/sources/source.ts';
import { batchWrite, getAll, queryPartition } from '#core/storage/table.store.ts';
import { randomFrom } from '#test/simulation/random.ts';
import { found } from '#test/support/core-list.ts';
import { memberOf } from '#test/support/deliveries.ts';
import { freshTable } from '#test/support/engine.ts';
import { allItems } from '#test/support/scan.ts';
import { newSender, throttled, UNKNOWN } from '#test/support/sending.ts';
import { behindIn, stateOf } from '#test/support/shard.ts';
import { backupsTo, fill } from '#test/support/table-copy.ts';

const table = freshTable();
const copy = freshTable();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (time: string, day = 0) => new Date(Date.parse(`2030-01-01T${time}:00Z`) + day * DAY);
/** To which the table is restored, and when that begins. */
const [BACK_TO, STOPPED] = [at('10:10'), at('11:00')];
const NAME = 'the copy';
const ALL = '@example.com';

beforeEach(async () => {
  await fill(table, []);
  await fill(copy, []);
});

async function newDaily() {
  const sender = await newSender(table, at('09:00'));
  const { organization } = sender;
  const [readers, others] = [await sender.newList(), await sender.newList({ name: 'Others' })];
  const due = (time: string) => ({ due: `2029-12-31T${time}:20Z` });
  const add = (of: CountedList, name: string, time: string) =>
    listMember.add({ table: sender.needs.table, now: sender.now }, organization, {
      email_list_id: of.id,
      email: name + ALL,
      is_subscribed: true,
      metadata: due(time),
    });
  const change = async (name: string, to: object) => {
    const needs = { table: sender.needs.table, now: sender.now };
    const member = await listMember.find(needs, organization, memberOf(readers, name + ALL));
    await listMember.change(needs, member, to);
  };
  await add(readers, 'ann', '09:30');
  const automation = await sender.newAutomation({
    email_list_ids: [readers.id, others.id],
    metadata_trigger: 'due',
    every_x_days: 1,
  });
  await sender.newTemplate([automation.id]);
  const run = async (until: Date, step = 5 * MINUTE) => {
    while (sender.now < until) {
      sender.at(new Date(Math.min(sender.now.getTime() + step, until.getTime())));
      await sender.sweep(sender.needs.table);
      await sender.deliverAll();
    }
  };
  const mailedOn = (day: number) =>
    sender
      .mails()
      .filter(({ at: sent }) => sent >= at('00:00', day) && sent < at('00:00', day + 1))
      .map(({ email }) => email.replace(ALL, ''))
      .toSorted();
  const reasons = async () => {
    const skips = await queryPartition(copy, `ORG#${organization}#SKIPS`);
    return [...new Set(skips.flatMap(skip => skip.reasons as string[]))];
  };
  return { sender, organization, readers, others, due, add, change, run, mailedOn, reasons };
}
type Daily = Awaited<ReturnType<typeof newDaily>>;

async function restored({ sender, run }: Daily, meanwhile: () => Promise<void> = async () => {}) {
  await run(BACK_TO);
  const items = await allItems(table);
  await meanwhile();
  await run(STOPPED);
  const needs = {
    table,
    now: () => sender.now,
    pause: async () => {},
    progress: () => {},
    backups: backupsTo(copy, () => items),
  };
  const again = () => restore(needs, { to: BACK_TO, name: NAME });
  await again();
  sender.needs.table = copy;
  return { again, needs };
}

const startAt = async ({ sender }: Daily, when: Date) => {
  sender.at(when);
  await stops.start({ table: copy, now: when });
};

async function resendOf({ sender, organization }: Daily, seq: number): Promise<void> {
  const id = `${recipient.hashOf(`ann${ALL}`)}-${seq}`;
  const email = foundStore.found(organization, id, await getAll(copy, foundStore.keysOf(organization, id)));
  await resendStore.resend({ table: copy, now: sender.now, queue: sender.needs.queue }, email, 'user-1');
}

describe('a table that is restored an hour back during sending', () => {
  it('sends nobody twice what an automation sends once a day, and goes on the next day', async () => {
    const daily = await newDaily();
    const { sender, readers, others, due, add, change, run, mailedOn, reasons } = daily;
    await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
    await add(readers, 'bo', '10:30');
    await add(readers, 'cy', '12:30');
    // In both lists, at two times of the day: the first one goes.
    await add(readers, 'dan', '10:40');
    await add(others, 'dan', '12:40');
    await add(readers, 'eve', '13:00');
    await restored(daily, async () => {
      // It is lost that her date is another one, and that there is a new member.
      await change('eve', { metadata: due('10:20') });
      await add(readers, 'fay', '10:50');
    });
    const before = ['ann', 'bo', 'dan', 'eve', 'fay'];
    expect(mailedOn(0)).toEqual(before);

    await startAt(daily, at('11:20'));
    // A program adds the new member once more.
    await add(readers, 'fay', '11:40');
    await run(at('23:59'), 30 * MINUTE);
    expect([mailedOn(0), await reasons()]).toEqual([before, ['restored']]);
    await run(at('23:59', 1), 30 * MINUTE);
    expect(mailedOn(1)).toEqual(['ann', 'bo', 'cy', 'dan', 'eve', 'fay']);
  });

  it.each([1, 2, 3, 4])('sends nobody twice, whatever dates people get, seed %i', async seed => {
    const daily = await newDaily();
    const { sender, readers, others, due, add, change, run } = daily;
    await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
    const random = randomFrom(seed);
    const time = () => new Date(random.between(9 * 60, 14 * 60) * MINUTE).toISOString().slice(11, 16);
    const names = Array.from({ length: 12 }, (_, at) => `reader${at}`);
    for (const name of names) {
      await add(readers, name, time());
      if (random.chance(0.4)) await add(others, name, time());
    }
    const edit = async () => {
      for (const name of names) if (random.chance(0.5)) await change(name, { metadata: due(time()) });
    };
    await restored(daily, edit);
    await startAt(daily, at('11:20'));
    await edit();
    await run(at('23:59'), 30 * MINUTE);
    const each = daily.mailedOn(0);
    expect(each.length).toBeGreaterThan(4);
    expect(each).toEqual([...new Set(each)]);
  });

  it('skips what is still queued, and what is claimed again by a message that comes back', async () => {
    const daily = await newDaily();
    const { sender, readers, add, run, mailedOn, reasons } = daily;
    await add(readers, 'bo', '10:58');
    await run(at('10:57'));
    sender.answers(throttled(900));
    await restored(daily);
    expect(sender.queue.length).toBeGreaterThan(0);
    await startAt(daily, at('11:20'));
    await run(at('12:00'));
    expect([mailedOn(0), await reasons()]).toEqual([['ann', 'bo'], ['restored']]);
  });

  it('does not send again what was unknown before, as that may have been done', async () => {
    const daily = await newDaily();
    const { sender, run } = daily;
    sender.answers(UNKNOWN);
    await restored(daily);
    await startAt(daily, at('11:20'));
    await run(at('12:00'));
    await expect(resendOf(daily, 1)).rejects.toThrow(
      'It may have been sent before the data was restored from a backup.',
    );
  });

  it('sends no more than the safeguards allow, whatever was sent in the hour that is lost', async () => {
    const daily = await newDaily();
    const { sender, organization, readers, add, run, mailedOn, reasons } = daily;
    await add(readers, 'bo', '10:30');
    await safeguards.change({ table, now: sender.now }, organization, { max_emails_24_hours: 1 });
    await restored(daily);
    await startAt(daily, at('11:20'));
    // At half past nine and ten, less than a day after the hour that is lost.
    await run(at('23:59', 1), 30 * MINUTE);
    expect([mailedOn(1), await reasons()]).toEqual([[], ['capped:max_emails_24_hours']]);
    await run(at('23:59', 2), 30 * MINUTE);
    expect(mailedOn(2)).toEqual(['ann', 'bo']);
  });

  it('counts what is lost against an email that a user wants to be sent again', async () => {
    const daily = await newDaily();
    const { sender, organization, run, mailedOn } = daily;
    await safeguards.change({ table, now: sender.now }, organization, { max_emails_1_week: 5 });
    await restored(daily);
    await startAt(daily, at('11:20'));
    await run(at('09:00', 2), 60 * MINUTE);
    sender.answers(UNKNOWN);
    await run(at('10:00', 2), 30 * MINUTE);
    expect(mailedOn(2)).toEqual(['ann']);
    sender.at(at('12:00', 2));
    await expect(resendOf(daily, 3)).rejects.toThrow('within 1 week');
  });

  it('has every shard go on at the minute of the restore, with nobody behind', async () => {
    const daily = await newDaily();
    const mark = { from: at('09:00').toISOString(), seen: at('09:30').toISOString() };
    await batchWrite(table, {
      puts: [
        { PK: partitionOf(0), SK: 'SHARD#7' },
        { PK: partitionOf(7), SK: 'STATE', swept_minute: mark.from, holder: 'a', until: mark.seen },
        { PK: partitionOf(7), SK: 'BEHIND#7001', ...mark },
      ],
    });
    await restored(daily);
    for (const shard of [0, 7]) {
      const { PK: _, SK: __, ...state } = (await stateOf(copy, shard)) ?? {};
      expect([state, await behindIn(copy, shard)]).toEqual([
        { swept_minute: '2030-01-01T10:59:00.000Z' },
        new Map(),
      ]);
    }
  });

  it('stops nothing that is stopped already, and is the same when it is repeated', async () => {
    const daily = await newDaily();
    await restored(daily).then(async ({ again }) => {
      const once = await allItems(copy);
      daily.sender.at(at('11:05'));
      await again();
      const state = (items: typeof once) => items.filter(({ PK }) => PK.startsWith('STAGE'));
      expect(state(await allItems(copy))).toEqual(state(once));
      expect(await stops.readStage(copy)).toEqual({
        stop: { stopped_since: STOPPED.toISOString() },
        // A call of the provider may have ended two minutes after the stop.
        restored: [{ from: BACK_TO.toISOString(), until: at('11:02').toISOString() }],
      });
    });
  });

  it('is refused where sending was started meanwhile, for an instant that has not come, and for the table in use', async () => {
    const { sender, run } = await newDaily();
    await run(STOPPED);
    const items = await allItems(table);
    const backups = backupsTo(copy, () => items);
    const pause = async () => void (await stops.start({ table, now: sender.now }));
    let looks = 0;
    const slow = { ...backups, isReady: async () => looks++ > 0 };
    const needs = { table, now: () => sender.now, pause, progress: () => {}, backups: slow };
    const to = BACK_TO;
    await expect(restore(needs, { to: at('12:00'), name: NAME })).rejects.toThrow('an instant in the past');
    await expect(restore(needs, { to, name: table.name })).rejects.toThrow('is the table that is in use');
    expect(await stops.status({ table })).toEqual({});
    await expect(restore(needs, { to, name: NAME })).rejects.toThrow('Sending was started meanwhile');
  });

  it('in the end has nobody subscribed who has left since, and purges what is deleted', async () => {
    const daily = await newDaily();
    const { sender, organization, readers, others, add, change } = daily;
    await add(readers, 'bo', '12:30');
    await list.remove({ table, now: sender.now }, await found(table, organization, others.id));
    const { needs } = await restored(daily, async () => {
      await change('bo', { is_subscribed: false });
      await add(readers, 'cy', '12:40');
      await change('cy', { is_subscribed: false });
    });
    const purges = () => queryPartition(copy, 'PURGE');
    const [requested] = await purges();
    const end = () => finish({ ...needs, table: copy }, { from: BACK_TO, before: table });
    expect(await end()).toEqual({ ended: 1, purges: 1 });
    const member = await listMember.find({ table: copy }, organization, memberOf(readers, `bo${ALL}`));
    expect(member.state.membership.status).toBe('unsubscribed');
    const [again] = await purges();
    expect(again).toEqual({ ...requested, requested_at: STOPPED.toISOString(), ticket: again?.ticket });
    expect(again?.ticket).not.toBe(requested?.ticket);
    expect(await end()).toEqual({ ended: 0, purges: 1 });
  });

  it('in the end has nobody subscribed whose process had begun just before the instant and stored it after', async () => {
    const daily = await newDaily();
    const { sender, readers, add, change } = daily;
    await add(readers, 'bo', '12:30');
    const { needs } = await restored(daily, async () => {
      sender.at(new Date(BACK_TO.getTime() - 20_000));
      await change('bo', { is_subscribed: false });
    });
    const end = () => finish({ ...needs, table: copy }, { from: BACK_TO, before: table });
    expect(await end()).toMatchObject({ ended: 1 });
  });

  it('mails nobody twice where sending was started in the table before, and stops there', async () => {
    const daily = await newDaily();
    const { sender, organization, readers, due, add, change, run, mailedOn } = daily;
    await safeguards.change({ table, now: sender.now }, organization, { enabled: false });
    await add(readers, 'bo', '12:30');
    const { needs } = await restored(daily);
    sender.needs.table = table;
    await stops.start({ table, now: sender.now });
    await change('bo', { metadata: due('11:40') });
    await run(at('12:00', 1), 30 * MINUTE);
    expect(mailedOn(1)).toEqual(['ann', 'bo']);

    sender.needs.table = copy;
    const end = () => finish({ ...needs, table: copy }, { from: BACK_TO, before: table });
    await end();
    expect(await stops.status({ table })).toEqual({ stopped_since: at('12:00', 1).toISOString() });
    await startAt(daily, at('12:05', 1));
    await end();
    expect(await stops.status({ table: copy })).toEqual({ sending_since: at('12:07', 1).toISOString() });
    await run(at('23:59', 1), 30 * MINUTE);
    expect(mailedOn(1)).toEqual(['ann', 'bo']);
    await run(at('23:59', 2), 30 * MINUTE);
    expect(mailedOn(2)).toEqual(['ann', 'bo']);
  });

  it('gives no organization the number of one that is lost, nor of one that is created until it is used', async () => {
    const daily = await newDaily();
    await restored(daily, async () => void (await newSender(table, daily.sender.now)));
    const lost = await organizations.newestId(table);
    expect(await organizations.newestId(copy)).toBe(lost + 1_000);
    await organizations.skipIds(copy, lost);
    expect(await organizations.newestId(copy)).toBe(lost + 1_000);
  });
});
