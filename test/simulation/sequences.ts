import * as store from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import { MOST_STEPS } from '#shared/limits.ts';
import { NewSequence, SequenceChange, type StepInput } from '#shared/sequence.ts';
import type { Context } from './actions.ts';
import type { Environment, Random } from './environment.ts';
import * as made from './organizations.ts';
import { sendTimes } from './sending-times.ts';
import { beginAll, hotInstant, type Planned } from './users.ts';

type Act = Planned['act'];

const DAYS = 24 * 60;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Each goes later than the one before. */
function delays(random: Random, count: number): StepInput[] {
  const minutes = new Set<number>();
  while (minutes.size < count) {
    minutes.add(
      random.pick([0, 0, 1, 1, 2]) * DAYS + random.pick([0, 0, 1, 2, 60]) + (count > 9 ? minutes.size : 0),
    );
  }
  return [...minutes]
    .sort((a, b) => a - b)
    .map(all => ({ delay_days: Math.floor(all / DAYS), delay_minutes: all % DAYS }));
}

type To = (context: Context, steps: StepInput[], active: boolean) => object;
const changed =
  (to: To): Act =>
  async context => {
    const { needs, of } = context;
    const [found] = await store.readAll(needs.table, of.id);
    if (!found) return;
    const { steps } = await sequences.detail(needs, found);
    const known = steps.map(({ automation_id, active }) => ({ automation_id, active }));
    await sequences.change(needs, found, SequenceChange.parse(to(context, known, found.active)));
  };

/** With other delays, in another order. */
const moved = (random: Random, steps: StepInput[]) => {
  const times = delays(random, steps.length);
  return { steps: random.shuffle(steps).map((step, at) => ({ ...step, ...times[at] })) };
};

/** With how often users make each in comparison. */
const CHANGES: Record<string, [weight: number, To]> = {
  switchSequence: [
    4,
    ({ random }, _, active) => ({
      active: !active,
      ...(!active && random.chance(0.6) && { include_existing: true }),
    }),
  ],
  changeLists: [3, ({ random, of }) => ({ email_list_ids: of.lists.filter(() => random.chance(0.6)) })],
  moveSteps: [2, ({ random }, steps) => moved(random, steps)],
  addStep: [2, ({ random }, steps) => moved(random, [...steps, {}].slice(0, MOST_STEPS))],
  removeStep: [2, ({ random }, steps) => moved(random, steps.slice(1))],
  switchStep: [2, (_, [first, ...rest]) => ({ steps: [{ ...first, active: !first?.active }, ...rest] })],
  changeAll: [
    1,
    ({ random, of, needs, model }) => ({
      ...(of.hasAudiences && { audience: made.audienceOf(random, of, needs.now) }),
      ...(of.times && sendTimes(random, of.times, model, needs.now)),
    }),
  ],
};
const deleted: Act = async ({ needs, of }) => {
  const [found] = await store.readAll(needs.table, of.id);
  return found && sequences.remove(needs, found);
};

export const OF_SEQUENCES = [
  ...Object.entries(CHANGES).map(([name, [weight, to]]) => [weight, { name, act: changed(to) }] as const),
  [0.5, { name: 'deleteSequence', act: deleted }] as const,
];

/** Lists without members, for changes that exceed a transaction. */
const MORE_LISTS = 4;

const created =
  ({ isLarge = false, isAgain = false }): Act =>
  async context => {
    const { needs, of, random } = context;
    const active = isAgain || random.chance(0.7);
    const form = {
      name: 'Course',
      active,
      ...(active && (isAgain || random.chance(0.5)) && { include_existing: true }),
      email_list_ids: of.lists,
      metadata_trigger: random.pick([null, ...made.COLUMNS]),
      holdout_percent: made.holdoutOf(random),
    };
    const steps = isAgain ? SHORT : delays(random, isLarge ? 20 : random.between(1, 4));
    const { steps: stored } = await sequences.create(needs, of.id, NewSequence.parse({ ...form, steps }));
    const automations = stored.map(({ automation_id }) => automation_id);
    await made.newTemplate(needs, random, { ...of, automations });
  };

const moreLists: Act = async ({ needs, of, random }) => {
  for (let more = MORE_LISTS; more > 0; more--) await made.newList(needs, random, of);
};

/** All of it goes within two hours after it has begun. */
const SHORT: StepInput[] = [0, 1, 60].map(delay_minutes => ({ delay_days: 0, delay_minutes }));

/** It begins once more for people who were there, mostly on the day after. */
const begunAgain = (at: number): Planned[] => [
  { name: 'endSequence', at: at - MINUTE, act: changed(() => ({ active: false })) },
  { name: 'beginSequence', at, act: changed(() => ({ active: true, include_existing: true })) },
];

/** Users create a sequence, and change it around the minutes in which its emails go. Of large changes, some die. */
export function runSequences(environment: Environment, model: made.Model, until: number): void {
  const dice = environment.random.fork('sequences');
  if (dice.chance(0.65)) return;
  const start = environment.scheduler.now().getTime();
  const isLarge = !model.isCrowded && dice.chance(0.15);
  const of = dice.pick(model.organizations);
  const dies = () => (isLarge && dice.chance(0.4) ? { dies: dice.int(dice.pick([50, 100, 400])) } : {});
  const at = start + dice.int((until - start) * dice.pick([0.01, 0.3]));
  const isAgain = !isLarge && dice.chance(0.4);
  const all: Planned[] = [{ name: 'createSequence', at, act: created({ isLarge, isAgain }), ...dies() }];
  if (isLarge) all.push({ name: 'createLists', at: at - MINUTE, act: moreLists });
  if (isAgain) all.push(...begunAgain(at + DAYS * MINUTE - dice.int(5 * HOUR)));
  for (let left = dice.pick([0, 2, 5, 12]); left > 0; left--) {
    const change = dice.weighted(OF_SEQUENCES);
    all.push({ ...change, at: hotInstant(dice, model, start), ...dies() });
  }
  beginAll(environment, { model, of }, dice, until, all);
}
