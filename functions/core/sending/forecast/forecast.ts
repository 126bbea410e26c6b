import { FORECAST_DAYS, type Forecast } from '../../../../shared/forecast.ts';
import type { StoredAutomation } from '../../automation/automation/automation.ts';
import { rowsAroundClock } from '../../automation/trigger-rows/trigger-rows.ts';
import type { Table } from '../../storage/table.store.ts';
import { Estimate, readPeople } from './people.ts';
import { type Email, emailsOf, prepare } from './person.ts';
import { type Plan, readPlan, withAutomation } from './plan.ts';

export { Estimate, MOST_PEOPLE, readPeople } from './people.ts';
export { type Email, emailsOf, type Prepared, prepare } from './person.ts';
export { type Plan, readPlan, type Source, withAutomation } from './plan.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

type Needs = { table: Table; now: Date; hasTime: (besides?: number) => boolean };

/** What one automation sends on each of the next days beside all others, if it stays or is switched on. */
export async function ofAutomation(needs: Needs, automation: StoredAutomation): Promise<Forecast> {
  const plan = await readPlan(needs.table, automation.organization_id);
  return forecast(
    needs,
    withAutomation(plan, automation, needs.now),
    ({ automation: id }) => id === automation.id,
  );
}

/** What all automations of an organization send that are active. */
export const ofOrganization = async (needs: Needs, organizationId: number): Promise<Forecast> =>
  forecast(needs, await readPlan(needs.table, organizationId), () => true);

/** What is left for reading people when the time for reading dates runs out. */
export const READING_PEOPLE = 12_000;

async function forecast(
  { table, now, hasTime }: Needs,
  plan: Plan,
  isCounted: (email: Pick<Email, 'automation'>) => boolean,
): Promise<Forecast> {
  const prepared = prepare(plan, now);
  // The minute that has begun is swept when it has ended.
  const from = Math.floor(now.getTime() / MINUTE) * MINUTE;
  const today = Math.floor(from / DAY) * DAY;
  const interval = { from: new Date(from), until: new Date(today + FORECAST_DAYS * DAY) };
  const days = Array.from({ length: FORECAST_DAYS }, (_, day) => ({
    date: new Date(today + day * DAY).toISOString().slice(0, 10),
    count: 0,
    skipped: 0,
  }));
  const { people, share } = await peopleWithDates(
    { table, hasTime },
    prepared.sources.filter(isCounted),
    now,
  );
  const estimate = new Estimate();
  const read = await readPeople({ table, now, hasTime }, [plan], people, (hash, person) => {
    let sent = 0;
    for (const { due, notSent } of emailsOf(prepared, hash, person, interval).filter(isCounted)) {
      const day = days[Math.floor((due - today) / DAY)];
      if (day) day[notSent ? 'skipped' : 'count']++;
      if (!notSent) sent++;
    }
    estimate.add(sent);
  });
  const weight = read > 0 ? people.size / read : 0;
  const shown = days.map(({ date, count, skipped }) => ({
    date,
    count: Math.round(count * weight),
    skipped: Math.round(skipped * weight),
  }));
  return {
    days: shown,
    total_count: shown.reduce((sum, { count }) => sum + count, 0),
    sampled: estimate.sampled(read, people.size),
    counted_share: share,
  };
}

type Column = { list: string; column: string };

/** Who has a date in the columns of some sources, and the share of the dates that there was time to read. */
export async function peopleWithDates(
  { table, hasTime }: Pick<Needs, 'table' | 'hasTime'>,
  sources: Column[],
  now: Date,
): Promise<{ people: Set<string>; share: number }> {
  const people = new Set<string>();
  const from = Math.floor(now.getTime() / MINUTE) * MINUTE;
  let share = 1;
  for await (const { rows, readUntil } of rowsAroundClock(table, columnsOf(sources), now)) {
    for (const { hash } of rows) people.add(hash);
    share = (readUntil.getTime() - from) / DAY;
    if (!hasTime(READING_PEOPLE)) break;
  }
  return { people, share };
}

/** Each once, though several automations may use it. */
const columnsOf = (sources: Column[]): Column[] => [
  ...new Map(sources.map(({ list, column }) => [`${list}#${column}`, { list, column }])).values(),
];
