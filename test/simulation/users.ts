import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import { Refusal } from '#core/refusal.ts';
import type { Pack } from '#core/sending/pack.ts';
import { ACTIONS, type Action, type Context, SWITCHES } from './actions.ts';
import { clockIn, dateOf, firstMinuteAt } from './clocks.ts';
import type { Environment, Random } from './environment.ts';
import * as model from './organizations.ts';
import type { Process } from './scheduler.ts';
import { memberZone, ZONE_COLUMN, ZONES } from './sending-times.ts';
import { timeChange } from './time-actions.ts';

const MINUTE = 60 * 1000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often users check for denied keys. */
const LOOKS_AFTER = 120 * MINUTE;

export const needsOf = ({ tableFor, scheduler, queued }: Environment, process: Process) => ({
  table: tableFor(process),
  now: scheduler.clockOf(process),
  queue: (pack: Pack, seconds: number) => queued.send(process, pack, seconds),
});

type Needs = ReturnType<typeof needsOf>;

/** Users change everything that affects what is sent, mostly around the minutes in which something is due. */
export function runUsers(environment: Environment, made: model.Model, until: number): void {
  const { scheduler, random } = environment;
  const start = scheduler.now().getTime();
  const dice = random.fork('users');
  const actions = dice.pick([0, 3, 10, 30, 60]);
  const neglected = dice.chance(0.1);
  for (let at = start; at < until && !neglected; at += LOOKS_AFTER) {
    scheduler.at(at + dice.int(LOOKS_AFTER), () => repairKeys(environment, made));
  }
  for (let count = actions; count > 0; count--) {
    const at = dice.chance(0.8) ? hotInstant(dice, made, start) : start + dice.int(until - start);
    if (at < start || at >= until) continue;
    const action = dice.weighted(ACTIONS);
    const fork = dice.fork(`action ${count}`);
    const of = dice.pick(made.organizations);
    scheduler.at(at, () => {
      const work = async (process: Process) => {
        const needs = needsOf(environment, process);
        await refusable(() => action.run({ needs, model: made, of, random: fork, environment }));
      };
      scheduler.start(action.name, work, { timeout: 30_000 });
    });
  }
}

/** Around a minute in which something is due. */
export function hotInstant(dice: Random, { hotMinutes }: model.Model, start: number): number {
  const day = Math.floor(start / DAY) * DAY + dice.int(3) * DAY;
  const minute = dice.pick(hotMinutes) + dice.pick([0, 0, 0, 6 * 60, 12 * 60]);
  // Sweeps run at the beginning of a minute.
  const second = dice.chance(0.6) ? dice.int(10_000) : dice.int(MINUTE);
  return day + (minute + dice.between(-1, 6)) * MINUTE + second;
}

/** What a user does at an instant. The request may take some time before it does anything, or die after a time. */
export type Planned = { name: string; at: number; act: Action; slow?: number; dies?: number };

export function beginAll(
  environment: Environment,
  about: Pick<Context, 'model' | 'of'>,
  dice: Random,
  until: number,
  all: Planned[],
): void {
  const { scheduler } = environment;
  const start = scheduler.now().getTime();
  for (const { name, at, act, slow = 0, dies = 30_000 } of all) {
    if (at < start || at >= until) continue;
    const context = { ...about, random: dice.fork(`${name} ${at}`), environment };
    scheduler.at(at, () => {
      const work = (process: Process) => {
        if (slow > 0) process.stalledUntil = scheduler.now().getTime() + slow;
        return refusable(() => act({ ...context, needs: needsOf(environment, process) }));
      };
      scheduler.start(name, work, { timeout: dies });
    });
  }
}

/** Users change sending times, mostly around the minutes in which some emails are sent or begin to wait. */
export function runTimeChanges(environment: Environment, made: model.Model, until: number): void {
  const { scheduler, random } = environment;
  const start = scheduler.now().getTime();
  const dice = random.fork('times');
  const timed = made.organizations.filter(({ times }) => times !== undefined);
  if (timed.length === 0) return;
  for (let count = dice.pick([0, 0, 2, 5, 12]); count > 0; count--) {
    const day = Math.floor(start / DAY) * DAY + dice.int(3) * DAY;
    const hot = day + (dice.pick(made.hotMinutes) + dice.pick([0, 0, 15, 60])) * MINUTE;
    const about = dice.chance(0.5) ? hot : start + dice.int(until - start);
    // Times of day are full quarters of an hour, and a change takes effect after two minutes.
    const quarter = Math.floor(about / QUARTER) * QUARTER;
    const at = quarter + dice.between(-3, 2) * MINUTE + dice.int(MINUTE);
    if (at < start || at >= until) continue;
    const fork = dice.fork(`change ${count}`);
    const of = dice.pick(timed);
    const [name, change] = timeChange({ model: made, of, random: fork });
    scheduler.at(at, () => {
      const work = (process: Process) => refusable(() => change(needsOf(environment, process)));
      scheduler.start(name, work, { timeout: 30_000 });
    });
  }
}

/**
 * Switches an item on at the end of a minute in which a person is due. It is stored when the sweep of that minute has begun.
 */
export function runSwitching(environment: Environment, made: model.Model, until: number): void {
  const { scheduler, random } = environment;
  const start = scheduler.now().getTime();
  const dice = random.fork('switching');
  if (dice.chance(0.7)) return;
  for (let count = dice.between(1, 6); count > 0; count--) {
    const of = dice.pick(made.organizations);
    const change = dice.pick(SWITCHES);
    // Both changes must pick the same item, whatever is created between them.
    const those = { ...of, automations: [...of.automations] };
    const day = Math.floor(start / DAY) * DAY + dice.int(3) * DAY;
    const minute = dice.pick(made.hotMinutes) + dice.between(0, 3) + dice.pick([0, 0, 0, 6 * 60, 12 * 60]);
    const on = day + (minute + 1) * MINUTE - dice.between(1, 3_000);
    const slow = dice.int(20_000);
    for (const { at, active } of [
      { at: on - dice.between(1, 30) * MINUTE, active: false },
      { at: on, active: true },
    ]) {
      if (at < start || on >= until) continue;
      scheduler.at(at, () => {
        const work = async (process: Process) => {
          const needs = needsOf(environment, process);
          if (active) process.stalledUntil = scheduler.now().getTime() + slow;
          await refusable(() => change({ needs, of: those, random: dice.fork(`switch ${count}`) }, active));
        };
        scheduler.start('switching', work, { timeout: 30_000 });
      });
    }
  }
}

/** Adds people whose dates the sweep has just passed. Nothing else is changed about them. */
export function runNewcomers(
  environment: Environment,
  made: model.Model,
  /** Some of these spans are outages. */
  times: { from: number; until: number }[],
): void {
  const { scheduler, random } = environment;
  const dice = random.fork('newcomers');
  for (let count = dice.pick([0, 4, 12]); count > 0; count--) {
    const fork = dice.fork(`newcomer ${count}`);
    const of = dice.pick(made.organizations);
    const { from, until } = dice.pick(times);
    const anyTime = from + dice.int(until - from);
    const place = memberZone(fork.fork('zone'), of.times);
    const day = dayOf(environment, of, place[ZONE_COLUMN], anyTime, fork.fork('day'));
    const isOfDay = day !== undefined && day.at >= from && day.at < until;
    const email = `newcomer${count}@example.com`;
    // Some are members already, and get only their time zone at that instant.
    const isEarlier = isOfDay && fork.fork('earlier').chance(0.5);
    const add = async (needs: Needs, more: Record<string, string>) => {
      const instant = new Date(needs.now.getTime() - fork.int(HOUR)).toISOString();
      const date = isOfDay ? day.date : instant;
      const dates = Object.fromEntries(model.COLUMNS.map(column => [column, date]));
      const id = isOfDay ? day.list : fork.pick(of.lists);
      await refusable(() => model.addMember(needs, of, id, email, { ...dates, ...more }));
    };
    const move = async (needs: Needs) => {
      const found = await list.lookUp(needs, of.id, String(day?.list));
      if (found) await refusable(() => listMember.upsertAll(needs, found, [{ email, ...place }]));
    };
    const begin = (at: number, act: (needs: Needs) => Promise<void>) =>
      scheduler.at(at, () => {
        scheduler.start('newcomer', process => act(needsOf(environment, process)), { timeout: 30_000 });
      });
    begin(isOfDay ? day.at : anyTime, needs => (isEarlier ? move(needs) : add(needs, place)));
    if (isEarlier) begin(Math.max(from, day.at - 2 * HOUR), needs => add(needs, {}));
  }
}

type Day = { at: number; list: string; date: string };

/**
 * An instant in the hour after a fixed time of an automation, with the list and the date (without a time) of a person who gets
 * that email.
 */
function dayOf(
  { store }: Environment,
  { id, automations: ids, times }: model.Organization,
  zone: string | undefined,
  about: number,
  random: Random,
): Day | undefined {
  if (!times || random.chance(0.2)) return undefined;
  const read = (SK: string) => store.read({ PK: `ORG#${id}`, SK }, true);
  const timed = ids
    .map(automation => read(`AUTO#${automation}`))
    .filter(of => of?.send_at && of.metadata_trigger && of.active);
  const ofMember = timed.filter(of => of?.time_zone_of === 'member');
  const [automation] = random.shuffle(ofMember.length > 0 ? ofMember : timed);
  const lists = (automation?.email_list_ids ?? []) as string[];
  if (!automation || lists.length === 0) return undefined;
  const list = random.pick(lists);
  const own = automation.time_zone_of === 'member' ? ZONES.find(one => one === zone) : undefined;
  const ofList = automation.time_zone_of === 'organization' ? undefined : read(`LIST#${list}`)?.time_zone;
  const of = String(own ?? ofList ?? read('META')?.time_zone ?? 'UTC');
  const day = dateOf(clockIn(of, about));
  const first = firstMinuteAt(of, day, String(automation.send_at));
  const date = new Date(Date.parse(day) - Number(automation.delay_days) * DAY);
  if (automation.repeat === 'yearly') date.setUTCFullYear(date.getUTCFullYear() - 1);
  return { date: date.toISOString().slice(0, 10), list, at: first + MINUTE + random.int(HOUR) };
}

export async function refusable(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    // Expected failures: something is deleted, or another request was faster.
    if (!(error instanceof Refusal) && (error as Error).message !== 'The organization is deleted')
      throw error;
  }
}

/** Replaces denied keys of lists: some soon, some when all faults are over, and some never. */
export function repairKeys({ scheduler, random, tableFor, store }: Environment, made: model.Model): void {
  const dice = random.fork(`repair ${scheduler.now().getTime()}`);
  for (const of of made.organizations) {
    for (const id of of.lists) {
      const stored = store.read({ PK: `ORG#${of.id}`, SK: `LIST#${id}` }, true);
      const { valid = true } = (stored?.connection ?? {}) as { valid?: boolean };
      if (valid || dice.chance(0.3)) continue;
      const work = (process: Process) =>
        refusable(() =>
          model.setKey({ table: tableFor(process), now: scheduler.clockOf(process) }, dice, of, id),
        );
      scheduler.start('repairKey', work, { timeout: 30_000 });
    }
  }
}
