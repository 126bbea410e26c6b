import { isDeepStrictEqual } from 'node:util';
import * as automations from '#core/automation/automation.store.ts';
import * as content from '#core/content/content.store.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as plans from '#core/plan/plan.ts';
import { parseBatchId } from '#core/sending/batch/batch.store.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { FORECAST_DAYS } from '#shared/forecast.ts';
import { DesiredState, type Plan } from '#shared/plan.ts';
import { template } from '../support/content.ts';
import { type Environment, newEnvironment } from './environment.ts';
import { History } from './history.ts';
import { acting, limits, newModel, type Organization } from './organizations.ts';
import { runSending } from './sending.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** A turn of the sweep that ends among the emails of a minute makes two packs of a person, whose order no prediction knows. */
const WHOLE = { rows: 1_000_000, due: 1_000_000 };

/** The emails of 30 days: how many of each automation each person got on each day. */
type Sent = Map<string, number>;
type Promised = Pick<Plan['effect'], 'days'> & { newly: number; noLonger: number };

/**
 * Lets the same organization send for so many days twice, with a plan and without it, and compares the difference with the effect that
 * the plan has promised. Counts the plans, and what they promised.
 */
export async function comparePlans(seeds: Iterable<number>, days = FORECAST_DAYS) {
  const differing: { seed: number; promised: Promised; seen: Promised; changes: unknown }[] = [];
  const promisedAll = { plans: 0, more: 0, fewer: 0, newly: 0, noLonger: 0 };
  for (const seed of seeds) {
    const [without, having] = [await runWorld(seed, days, false), await runWorld(seed, days, true)];
    if (!without || !having) continue;
    const { effect, changes } = having.plan;
    if (effect.sampled || effect.counted_share < 1) throw new Error('Not everyone was read');
    const promised = {
      days: effect.days.slice(0, days),
      newly: effect.newly_reached.count,
      noLonger: effect.no_longer_reached.count,
    };
    const difference = differenceOf(promised.days, without.sent, having.sent);
    // Who is reached is known when all days are over.
    const seen = days === FORECAST_DAYS ? difference : { ...promised, days: difference.days };
    promisedAll.plans++;
    promisedAll.newly += promised.newly;
    promisedAll.noLonger += promised.noLonger;
    for (const { more, fewer } of promised.days) {
      promisedAll.more += more;
      promisedAll.fewer += fewer;
    }
    if (!isDeepStrictEqual(seen, promised)) differing.push({ seed, promised, seen, changes });
  }
  return { differing, promised: promisedAll };
}

async function runWorld(
  seed: number,
  days: number,
  isApplied: boolean,
): Promise<{ plan: Plan; sent: Sent } | undefined> {
  const environment = newEnvironment({ seed });
  const { scheduler, faults, random, stillTable: table } = environment;
  const model = await environment.prepare(on =>
    newModel({ table: on, now: scheduler.now() }, random.fork('organizations')),
  );
  const [of] = model.organizations;
  // A crowd takes minutes, and SES may close the account for a while, which no prediction can know.
  if (model.isCrowded || !of || of.hasSes) return undefined;
  faults.happens = () => false;
  const asked = scheduler.now().getTime() + DAY / 4 + random.fork('asked').int(DAY);
  const until = Math.floor(asked / DAY) * DAY + days * DAY;
  const sending = runSending(environment, until, [], WHOLE);
  await scheduler.run(asked);
  const now = scheduler.now();
  const active = await acting({ table, now }, of);
  const needs = { table, now, active, user: of.owner, scopes: undefined, hasTimeLeft: () => true };
  const plan = await plans.make(needs, DesiredState.parse(await randomPlan(environment, of)));
  if (plan.changes.length === 0) return undefined;
  const { earners } = await safeguards.readWithEarners(table, of.id);
  const last = Object.keys(earners).sort().at(-1) ?? '';
  if (isApplied) await plans.apply(needs, plan.hash, { max_people: 1_000 });
  for (let midnight = Math.floor(asked / DAY) * DAY + DAY; midnight < until; midnight += DAY) {
    await scheduler.run(midnight - 10 * MINUTE);
    // As each night, where what earns most stays the same.
    const day = new Date(midnight).toISOString().slice(0, 10);
    if (day > last) await safeguards.storeEarners(table, of.id, day, async () => earners[last]);
  }
  await scheduler.run(until);
  faults.isOver = true;
  while (!sending.isIdle()) await scheduler.run(scheduler.now().getTime() + MINUTE);
  const sent: Sent = new Map();
  for (const one of new History(environment).claims) {
    if (one.organization !== of.id || one.releasedAt !== undefined) continue;
    const { automation, minute } = parseBatchId(one.claim.batch);
    if (minute < minuteOf(now) || minute >= minuteOf(new Date(until))) continue;
    const name = `${one.hash} ${automation} ${minute.slice(0, 10)}`;
    sent.set(name, (sent.get(name) ?? 0) + 1);
  }
  return { plan, sent };
}

function differenceOf(days: Plan['effect']['days'], without: Sent, having: Sent): Promised {
  const byDay = new Map(days.map(({ date }) => [date, { date, more: 0, fewer: 0 }]));
  for (const name of new Set([...without.keys(), ...having.keys()])) {
    const more = (having.get(name) ?? 0) - (without.get(name) ?? 0);
    const day = byDay.get(name.slice(name.lastIndexOf(' ') + 1));
    if (day) day[more > 0 ? 'more' : 'fewer'] += Math.abs(more);
  }
  const pairs = (sent: Sent) => new Set([...sent.keys()].map(name => name.slice(0, name.lastIndexOf(' '))));
  const only = (some: Sent, others: Sent) =>
    new Set([...pairs(some)].filter(pair => !pairs(others).has(pair)).map(pair => pair.split(' ')[0])).size;
  return { days: [...byDay.values()], newly: only(having, without), noLonger: only(without, having) };
}

/** Some changes of what an organization has, and new automations and sequences with content. */
async function randomPlan(environment: Environment, of: Organization): Promise<object> {
  const { stillTable: table } = environment;
  const random = environment.random.fork('plan');
  const stored = (await automations.readAll(table, of.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const templates = await content.readHeads<content.Head & { name: string }>(table, of.id, 'template');
  const [gone] = random.chance(0.2) ? stored : [];
  const kept = stored.filter(one => one !== gone);
  const { automation_ids: _, ...text } = template({ pre_cta_content: 'Hello' });
  const isNew = random.chance(0.5);
  const isCourse = random.chance(0.3);
  return {
    automations: [
      ...kept
        .filter(() => random.chance(0.5))
        .map(({ id, repeat = 'days', delay_days }) => ({
          id,
          ...random.weighted<object>([
            [3, { delay_days: delay_days + random.between(1, 3) }],
            [2, repeat === 'days' ? { every_x_days: random.between(1, 5), stop_after_days: null } : {}],
            [2, { active: random.chance(0.5) }],
            [1, { email_lists: of.lists.slice(0, 1) }],
          ]),
        })),
      ...(isNew ? [{ name: 'planned', email_lists: of.lists, delay_days: random.between(0, 3) }] : []),
    ],
    sequences: isCourse
      ? [
          {
            name: 'Planned course',
            active: true,
            email_lists: of.lists,
            steps: [{ name: 'begin' }, { name: 'go_on', delay_days: random.between(1, 6) }],
          },
        ]
      : [],
    templates: [
      ...(isNew || isCourse
        ? [
            {
              ...text,
              name: 'Planned',
              automations: [...(isNew ? ['planned'] : []), ...(isCourse ? ['begin', 'go_on'] : [])],
            },
          ]
        : []),
      ...templates
        .filter(() => random.chance(0.3))
        .map(({ id }) => ({ id, ...(random.chance(0.5) ? { is_active: false } : { cta_text: 'Other' }) })),
    ],
    ...(random.chance(0.4) && { safeguards: limits(random) }),
    ...(gone && { delete: { automations: [gone.id] } }),
  };
}
