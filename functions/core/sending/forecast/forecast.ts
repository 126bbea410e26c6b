import type { StoredAutomation } from '#core/automation/automation.store.ts';
import type { Interval } from '#core/automation/due/rule.ts';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import type { Table } from '#core/storage/table.store.ts';
import { type Expected, FORECAST_DAYS, type Forecast, type Upcoming } from '#shared/forecast.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { Estimate, readPeople } from './people.ts';
import { type Email, emailsOf, prepare } from './person.ts';
import { type Plan, readPlan, withSwitchedOn } from './plan.ts';

type Needs = { table: Table; now: Date; hasTime: (besides?: number) => boolean };

/** What one automation sends on each of the next days, beside all others. If it is off, it is taken as switched on now. */
export async function ofAutomation(needs: Needs, automation: StoredAutomation): Promise<Forecast> {
  const plan = await readPlan(needs.table, automation.organization_id);
  return forecast(
    needs,
    withSwitchedOn(plan, automation, needs.now),
    ({ automation: id }) => id === automation.id,
  );
}

/** What all automations of an organization send that are active. */
export const ofOrganization = async (needs: Needs, organizationId: number): Promise<Forecast> =>
  forecast(needs, await readPlan(needs.table, organizationId), () => true);

/** The milliseconds that reading dates leaves for reading people. */
export const READING_PEOPLE = 12_000;

async function forecast(
  needs: Needs,
  plan: Plan,
  isCounted: (email: Pick<Email, 'automation'>) => boolean,
): Promise<Forecast> {
  // The minute that has begun is swept when it has ended.
  const from = startOfMinute(needs.now.getTime());
  const today = Math.floor(from / DAY) * DAY;
  const days = Array.from({ length: FORECAST_DAYS }, (_, day) => ({
    date: new Date(today + day * DAY).toISOString().slice(0, 10),
    count: 0,
    skipped: 0,
  }));
  const interval = { from: new Date(from), until: new Date(today + FORECAST_DAYS * DAY) };
  const { share, weight, sampled } = await countEmails(needs, { plan, isCounted, interval }, email => {
    const day = days[Math.floor((email.due - today) / DAY)];
    if (day) day[email.notSent ? 'skipped' : 'count']++;
  });
  const shown = days.map(({ date, ...counts }) => ({ date, ...scaled(counts, weight) }));
  return {
    days: shown,
    total_count: shown.reduce((sum, { count }) => sum + count, 0),
    sampled,
    counted_share: share,
  };
}

/** The home page asks on each visit, so that the reads are bounded. */
export const MOST_FOR_UPCOMING = { mostDates: 20_000, mostPeople: 1_000 };

/** What all active automations of an organization send from now on, in a bounded number of reads. */
export async function upcoming(
  needs: Needs,
  organizationId: number,
  most: Required<Bounds> = MOST_FOR_UPCOMING,
): Promise<Upcoming> {
  const plan = await readPlan(needs.table, organizationId);
  const from = startOfMinute(needs.now.getTime());
  const day: Expected = { count: 0, skipped: 0 };
  const week: Expected = { count: 0, skipped: 0 };
  let next = Number.POSITIVE_INFINITY;
  const { share, weight, sampled } = await countEmails(
    { ...needs, ...most },
    { plan, isCounted: () => true, interval: { from: new Date(from), until: new Date(from + 7 * DAY) } },
    ({ due, notSent }) => {
      week[notSent ? 'skipped' : 'count']++;
      if (due < from + DAY) day[notSent ? 'skipped' : 'count']++;
      if (!notSent) next = Math.min(next, due);
    },
  );
  const isWhole = !sampled && share === 1;
  return {
    next_24_hours: scaled(day, weight),
    next_7_days: scaled(week, weight),
    next_at: isWhole && Number.isFinite(next) ? new Date(next).toISOString() : null,
    sampled,
    counted_share: share,
  };
}

const scaled = ({ count, skipped }: Expected, weight: number): Expected => ({
  count: Math.round(count * weight),
  skipped: Math.round(skipped * weight),
});

type Bounds = {
  /** If there are more, only those of the first part of the day are read. */
  mostDates?: number;
  mostPeople?: number;
};
type Wanted = {
  plan: Plan;
  isCounted: (email: Pick<Email, 'automation'>) => boolean;
  interval: Interval;
};

/** Calls `count` for each email of the people who are read. If they are a sample, each stands for `weight` people. */
async function countEmails(
  needs: Needs & Bounds,
  { plan, isCounted, interval }: Wanted,
  count: (email: Email) => void,
) {
  const prepared = prepare(plan, needs.now);
  const { people, share } = await peopleWithDates(needs, prepared.sources.filter(isCounted), needs.now);
  const estimate = new Estimate();
  const read = await readPeople(needs, [plan], people, (hash, person) => {
    const emails = emailsOf(prepared, hash, person, interval).filter(isCounted);
    for (const email of emails) count(email);
    estimate.add(emails.filter(({ notSent }) => !notSent).length);
  });
  return {
    share,
    weight: read > 0 ? people.size / read : 0,
    sampled: estimate.sampled(read, people.size),
  };
}

type Column = { list: string; column: string };

/**
 * The people who have a date in the columns of some sources. `share` is the part of the day whose dates could be read in
 * time.
 */
export async function peopleWithDates(
  { table, hasTime, mostDates = Number.POSITIVE_INFINITY }: Pick<Needs, 'table' | 'hasTime'> & Bounds,
  sources: Column[],
  now: Date,
): Promise<{ people: Set<string>; share: number }> {
  const people = new Set<string>();
  const from = startOfMinute(now.getTime());
  let share = 1;
  let read = 0;
  for await (const { rows, readUntil } of rowsAroundClock(table, columnsOf(sources), now)) {
    for (const { hash } of rows) people.add(hash);
    share = (readUntil.getTime() - from) / DAY;
    read += rows.length;
    if (read >= mostDates || !hasTime(READING_PEOPLE)) break;
  }
  return { people, share };
}

/** Each column once, though several automations may use it. */
const columnsOf = (sources: Column[]): Column[] => [
  ...new Map(sources.map(({ list, column }) => [`${list}#${column}`, { list, column }])).values(),
];
