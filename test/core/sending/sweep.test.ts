import { describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import * as organization from '#core/organization/organization.ts';
import type { Pack } from '#core/sending/pack.ts';
import { sweepAll as sweep } from '#core/sending/sweep/sweep.ts';
import { sourceKey, sourcesIn, sourceWrite } from '#core/sources/source.ts';
import { commit } from '#core/storage/write.store.ts';
import { crashing, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted, interceptedOnce } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';
import { behindIn, forgetShard, stateOf } from '#test/support/shard.ts';
import { timeFor } from '#test/support/sweeping.ts';

const table = freshTable();
const nothing = async () => {};
const quiet = {
  hasTimeLeft: () => true,
  queue: nothing,
  sweepOthers: nothing,
  failed: () => {},
  tooOld: () => {},
};
const at = (time: string) => ({ ...quiet, table, now: new Date(`2026-03-01T${time}Z`) });

const watermark = async () => (await stateOf(table))?.swept_minute;

describe('the sweep', () => {
  it('moves the watermark to the last minute that has closed', async () => {
    expect(await sweep(at('12:05:00.000'))).toMatchObject({ watermark: at('12:04:00').now, moved: true });
    expect(await watermark()).toBe('2026-03-01T12:04:00.000Z');
  });

  it('changes nothing when it runs twice within a minute', async () => {
    expect(await sweep(at('12:05:59.999'))).toMatchObject({ watermark: at('12:04:00').now, moved: false });
    expect(await watermark()).toBe('2026-03-01T12:04:00.000Z');
  });

  it('catches up after minutes in which it did not run', async () => {
    expect(await sweep(at('13:00:30'))).toMatchObject({ moved: true });
    expect(await watermark()).toBe('2026-03-01T12:59:00.000Z');
  });

  it('never moves the watermark back, however late a run is', async () => {
    expect(await sweep(at('12:30:00'))).toMatchObject({ watermark: at('12:59:00').now, moved: false });
    expect(await watermark()).toBe('2026-03-01T12:59:00.000Z');
  });

  it('is not moved back by a run that another one has overtaken', async () => {
    const overtaken = beforeFirst(table, 'UpdateCommand', () => sweep(at('13:40:00')));
    expect(await sweep({ ...at('13:20:00'), table: overtaken })).toMatchObject({ moved: false });
    expect(await watermark()).toBe('2026-03-01T13:39:00.000Z');
  });

  it('moves the watermark once when two runs overlap', async () => {
    const runs = await Promise.all([sweep(at('14:00:00')), sweep(at('14:00:01'))]);
    expect(runs.map(({ moved }) => moved).sort()).toEqual([false, true]);
  });
});

describe('the first run that ends', () => {
  const own = freshTable();

  it('queues what fell due since those before it began, which died', async () => {
    const sender = await newSender(own, at('09:00:30').now);
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-02-20T10:15:00Z' });
    await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
    sender.at(at('15:00:30').now);
    await sender.sweep();
    expect(sender.queue.map(({ pack }) => pack.minute)).toEqual(['2026-03-01T10:15']);
  });

  it('begins where the first of all began, though none has ended for longer than anything is sent', async () => {
    await forgetShard(own);
    const sender = await newSender(own, at('09:00:30').now);
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-02-20T10:15:00Z' });
    await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
    const fails = async () => {
      throw new Error('The queue does not answer');
    };
    await survives(
      sweep({ ...at('10:16:00'), table: crashing(own, { at: 2, how: 'before' }), queue: fails }),
    );
    sender.at(new Date('2026-03-02T22:00:30Z'));
    await sender.sweep();
    expect(sender.queue.map(({ pack }) => pack.minute)).toContain('2026-03-01T10:15');
  });
});

describe('before which instant the sweep has nothing to do', () => {
  const own = freshTable();
  const start = at('15:27:30').now;
  const minute = (time: string) => at(time).now;

  it('follows from the rows that it read: those of nobody are read until midnight', async () => {
    const sender = await newSender(own, start);
    expect(await sender.sweep()).toMatchObject({ moved: true, next: null });
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-02-20T21:40:59Z' });
    await sender.add(readers, 'bob@example.com', { trial_ends: '2026-02-20T15:31:00Z' });
    await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
    sender.at(minute('15:31:30'));
    expect(await sender.sweep()).toMatchObject({ next: minute('15:32:00') });
    // A run that had nothing to sweep knows nothing.
    expect(await sender.sweep()).toMatchObject({ moved: false, next: sender.now });
    sender.at(minute('15:32:30'));
    expect(await sender.sweep()).toMatchObject({ next: minute('21:41:00') });
    expect(sender.queue.map(({ pack }) => pack.people.length)).toEqual([1]);
    sender.at(minute('21:41:00'));
    expect(await sender.sweep()).toMatchObject({ next: new Date('2026-03-02T00:01:00Z') });
    expect(sender.queue.map(({ pack }) => pack.minute)).toEqual(['2026-03-01T15:31', '2026-03-01T21:40']);
  });

  it('is six hours after a date for the second email of an occurrence', async () => {
    const sender = await newSender(own, minute('22:00:30'));
    const readers = await sender.newList();
    const schedule = {
      email_list_ids: [readers.id],
      metadata_trigger: 'trial_ends',
      double_send_first: true,
    };
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-03-01T16:30:00Z' });
    await sender.newAutomation(schedule);
    expect(await sender.sweep()).toMatchObject({ next: minute('22:31:00') });
  });

  it('is unknown where one minute has more rows than a read finds for nothing', async () => {
    const sender = await newSender(own, minute('22:58:30'));
    const readers = await sender.newList();
    // The longer the name of a column, the fewer of its rows are read for nothing: of this one 33.
    const column = 'trial_ends'.padEnd(64, '_');
    for (let nth = 0; nth < 35; nth++) {
      await sender.add(readers, `person${nth}@example.com`, { [column]: '2026-02-20T22:59:00Z' });
    }
    await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: column });
    await sender.sweep();
    sender.queue.splice(0);
    sender.at(minute('23:00:30'));
    expect(await sender.sweep()).toMatchObject({ next: minute('23:01:00') });
    const dues = sender.queue.flatMap(({ pack }) => pack.people.map(([, dues]) => dues.length));
    expect(dues).toEqual(Array.from({ length: 35 }, () => 1));
  });
});

describe('what was switched on a moment ago, before all reads show it', () => {
  const own = freshTable();

  it('is swept: what seems to be off is read again', async () => {
    const start = at('15:30:30').now;
    const sender = await newSender(own, start);
    await sender.sweep();
    const readers = await sender.newList();
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-02-20T15:31:00Z' });
    await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
    const lagging = intercepted(own, async (send, { input }) => {
      const isLate = Object.values(input.RequestItems ?? {}).some(
        asked => 'ConsistentRead' in asked && !asked.ConsistentRead,
      );
      return isLate ? { Responses: {} } : send();
    });
    const packs: Pack[] = [];
    const queue = async (some: Pack[]) => void packs.push(...some);
    await sweep({ ...quiet, table: lagging, now: at('15:32:10').now, queue });
    expect(packs.map(({ people }) => people.length)).toEqual([1]);
  });
});

describe('what is switched on as a minute ends, and stored after the sweep of that minute has begun', () => {
  const own = freshTable();
  const due = { email_list_ids: [] as string[], metadata_trigger: 'trial_ends' };

  async function newcomer() {
    await forgetShard(own);
    const sender = await newSender(own, at('09:55:30').now);
    // The sweep reads them in this order.
    const lists = [await sender.newList(), await sender.newList()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const [readers, others] = lists as [list.CountedList, list.CountedList];
    await sender.add(readers, 'ann@example.com', { trial_ends: '2026-02-20T10:00:00Z' });
    await sender.add(others, 'bob@example.com', { trial_ends: '2026-02-20T08:00:00Z' });
    const other = await sender.newAutomation({ ...due, email_list_ids: [others.id] });
    const { id } = await sender.newAutomation({ ...due, email_list_ids: [readers.id] });
    const read = async (which: string) => {
      const [found] = await automationStore.readThese(own, sender.organization, [which]);
      if (!found) throw new Error('It does not exist');
      return found;
    };
    const sweepAt = async (time: string) => {
      sender.at(at(time).now);
      await sender.sweep();
      return sender.queue.splice(0).map(({ pack }) => pack.minute.slice('2026-03-01T'.length));
    };
    await sweepAt('10:00:00.7');
    return { sender, readers, others, sweepAt, on: () => read(id), other: () => read(other.id) };
  }
  type Newcomer = Awaited<ReturnType<typeof newcomer>>;

  /** Somebody is due at 10:00 by two columns, so that a run can end between them. */
  async function twoColumnsDue({ add, newAutomation }: Newcomer['sender'], of: list.CountedList) {
    const ten = '2026-02-20T10:00:00Z';
    await add(of, 'carl@example.com', { trial_ends: ten, welcome_at: ten });
    await newAutomation({ email_list_ids: [of.id], metadata_trigger: 'welcome_at' });
  }

  const now = at('10:00:59.5').now;
  const needs = { table: own, now };
  const changes: [what: string, change: (newcomer: Newcomer) => Promise<() => Promise<unknown>>][] = [
    [
      'an automation',
      async ({ on }) => {
        const before = await automations.change({ table: own, now: at('09:59:00').now }, await on(), {
          active: false,
        });
        return async () =>
          automations.change(needs, { ...(await on()), active: before.active }, { active: true });
      },
    ],
    [
      'a new automation',
      async ({ on, readers, sender }) => {
        await automations.remove(needs, await on());
        return async () => {
          sender.at(now);
          await sender.newAutomation({ ...due, email_list_ids: [readers.id] });
        };
      },
    ],
    [
      'a list that an automation gets',
      async ({ on, other, others, readers }) => {
        await automations.remove(needs, await on());
        const both = { email_list_ids: [others.id, readers.id] };
        return async () => automations.change(needs, await other(), both);
      },
    ],
    [
      'a list',
      async ({ readers }) => {
        await list.change({ table: own, now: at('09:59:00').now }, readers, { active: false });
        return () => list.change(needs, { ...readers, active: false }, { active: true });
      },
    ],
    [
      'an organization',
      async ({ sender: { acting } }) => {
        await organization.change({ table: own, now: at('09:59:00').now }, acting, { active: false });
        const off = { ...acting, organization: { ...acting.organization, active: false } };
        return () => organization.change(needs, off, { active: true });
      },
    ],
  ];

  it.each(changes)('%s: is swept from that minute on', async (_, change) => {
    const made = await newcomer();
    const switchOn = await change(made);
    expect(await made.sweepAt('10:01:00.7')).toEqual([]);
    await switchOn();
    expect(await made.sweepAt('10:02:00.7')).toEqual(['10:00']);
  });

  it.each(changes)('%s: is read once where the first run after it has seen it', async (_, change) => {
    const made = await newcomer();
    await (await change(made))();
    expect(await made.sweepAt('10:01:00.7')).toEqual(['10:00']);
    for (const time of ['10:02:00.7', '10:03:00.7']) expect(await made.sweepAt(time), time).toEqual([]);
  });

  it('does not make a run begin anew where the run before has seen it and ended in the middle', async () => {
    const { sender, readers } = await newcomer();
    await twoColumnsDue(sender, readers);
    sender.at(now);
    await list.change({ table: own, now: at('09:59:00').now }, readers, { active: false });
    await list.change(needs, { ...readers, active: false }, { active: true });
    const packs: Pack[] = [];
    const queue = async (some: Pack[]) => void packs.push(...some);
    const run = { ...quiet, table: own, queue };
    const dues = () => packs.flatMap(({ people }) => people.flatMap(([, due]) => due)).length;
    const part = { rows: 1, due: 1 };
    await sweep({ ...run, now: at('10:01:00.7').now, part, hasTimeLeft: timeFor(4) });
    expect(dues()).toBe(2);
    await sweep({ ...run, now: at('10:02:00.7').now });
    expect(dues()).toBe(3);
  });

  it('is swept where the run before has read a part of what is due in that minute', async () => {
    const { sender, readers, others, on } = await newcomer();
    await automations.remove(needs, await on());
    await twoColumnsDue(sender, others);
    const part = { rows: 1, due: 1 };
    await sweep({ ...quiet, table: own, now: at('10:01:00.7').now, part, hasTimeLeft: timeFor(4) });
    expect((await behindIn(own)).get(sender.organization)).toHaveProperty('after');
    sender.at(now);
    const { id } = await sender.newAutomation({ ...due, email_list_ids: [readers.id] });
    sender.at(at('10:02:00.7').now);
    await sender.sweep();
    const sent = sender.queue.flatMap(({ pack }) => pack.sources.map(({ automation }) => automation));
    expect(sent).toContain(id);
  });

  it('is swept where a run that was paused meanwhile notes how far it came', async () => {
    const { sender, readers, others, on } = await newcomer();
    await automations.remove(needs, await on());
    await twoColumnsDue(sender, others);
    const [paused, resumed, noted] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    if (!paused || !resumed || !noted) throw new Error('There are three');
    const slow = interceptedOnce(own, 'PutCommand', async send => {
      paused.resolve();
      await resumed.promise;
      await send();
      noted.resolve();
    });
    const part = { rows: 1, due: 1 };
    const first = sweep({ ...quiet, table: slow, part, hasTimeLeft: timeFor(4), now: at('10:01:00.7').now });
    await paused.promise;
    sender.at(now);
    const { id } = await sender.newAutomation({ ...due, email_list_ids: [readers.id] });
    const overtaken = beforeFirst(own, 'PutCommand', async () => {
      resumed.resolve();
      await noted.promise;
    });
    const second = { ...quiet, table: overtaken, hasTimeLeft: () => false, now: at('10:02:20').now };
    expect(await sweep(second)).toMatchObject({ behind: 1, moved: true });
    await first;
    sender.at(at('10:04:00.7').now);
    await sender.sweep();
    const sent = sender.queue.flatMap(({ pack }) => pack.sources.map(({ automation }) => automation));
    expect(sent).toContain(id);
  });

  it('is swept from that minute on though another list is switched on after it', async () => {
    const { readers, others, sweepAt } = await newcomer();
    const before = { table: own, now: at('09:59:00').now };
    for (const one of [readers, others]) await list.change(before, one, { active: false });
    expect(await sweepAt('10:01:00.7')).toEqual([]);
    await list.change(needs, { ...readers, active: false }, { active: true });
    await list.change(
      { table: own, now: at('10:01:30').now },
      { ...others, active: false },
      { active: true },
    );
    expect(await sweepAt('10:02:00.7')).toEqual(['10:00']);
  });

  it('is swept though the sweep was about to delete a source that an earlier change had left over', async () => {
    const { sender, readers, others, on } = await newcomer();
    const before = await on();
    const leftOver = sourceKey(sender.organization, others.id, before.metadata_trigger, before.id);
    await commit(own, [sourceWrite(own, leftOver, at('09:00:00').now)]);
    const both = { email_list_ids: [readers.id, others.id] };
    const meanwhile = beforeFirst(own, 'TransactWriteCommand', async () =>
      automations.change(needs, await on(), both),
    );
    await sweep({ ...quiet, table: meanwhile, now: at('10:01:00.7').now });
    const left = await sourcesIn(own, sender.organization, others.id);
    expect(left.map(({ automation }) => automation)).toContain(before.id);
  });

  it('is deleted an hour after it was stored for a change that never came, unless it is stored again', async () => {
    const { sender, readers, others, on } = await newcomer();
    const { id, metadata_trigger } = await on();
    const unused = sourceKey(sender.organization, others.id, metadata_trigger, id);
    const storeAt = (time: string, table = own) => commit(table, [sourceWrite(table, unused, at(time).now)]);
    const isLeft = async () =>
      (await sourcesIn(own, sender.organization, others.id)).some(({ automation }) => automation === id);
    await storeAt('09:02:00');
    await sweep({ ...quiet, table: own, now: at('10:01:59').now });
    expect(await isLeft()).toBe(true);
    const meanwhile = beforeFirst(own, 'TransactWriteCommand', () => storeAt('10:02:01'));
    await sweep({ ...quiet, table: meanwhile, now: at('10:02:02').now });
    expect(await isLeft()).toBe(true);
    await sweep({ ...quiet, table: own, now: at('11:02:02').now });
    expect(await isLeft()).toBe(false);
    expect(
      (await sourcesIn(own, sender.organization, readers.id)).map(({ automation }) => automation),
    ).toEqual([id]);
  });

  it('costs those nothing that were there before', async () => {
    const { sweepAt } = await newcomer();
    expect(await sweepAt('10:01:00.7')).toEqual(['10:00']);
    expect(await sweepAt('10:02:00.7')).toEqual([]);
  });
});
