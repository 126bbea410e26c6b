import { FORECAST_DAYS, type Forecast } from '../../../shared/forecast.ts';
import type { Safeguards } from '../../../shared/safeguards.ts';
import * as automations from '../automation/automation.ts';
import { dueOccurrences, type Interval, type Occurrence } from '../due/due.ts';
import * as list from '../list/list.ts';
import * as recipient from '../recipient/recipient.ts';
import * as safeguards from '../safeguards/safeguards.ts';
import type { Table } from '../table.store.ts';
import { rowsByHour } from '../trigger-rows/trigger-rows.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

type Needs = { table: Table; now: Date; hasTime: () => boolean };
type Automation = automations.StoredAutomation;

/** What one automation would send on each of the next days, if it stays or is switched on. */
export async function ofAutomation(needs: Needs, automation: Automation): Promise<Forecast> {
  const { active, active_since } = automation;
  const terms = { ...automation, active_since: active ? active_since : needs.now.toISOString() };
  return forecast(needs, automation.organization_id, [terms], undefined);
}

/** What all automations of an organization send that are active and have content, less what its safeguards skip. */
export async function ofOrganization(needs: Needs, organizationId: number): Promise<Forecast> {
  const { table } = needs;
  const [sending, limits] = await Promise.all([
    automations.sending(table, organizationId),
    safeguards.of(table, organizationId),
  ]);
  return forecast(needs, organizationId, sending, limits);
}

/** Beyond so many people, some of them stand for all. */
const MOST_PEOPLE = 20_000;

async function forecast(
  { table, now, hasTime }: Needs,
  organizationId: number,
  sending: Automation[],
  limits: Safeguards | undefined,
): Promise<Forecast> {
  const ids = [...new Set(sending.flatMap(({ email_list_ids }) => email_list_ids))];
  const lists = (await list.readCounted(table, organizationId, ids)).filter(({ active }) => active);
  const columns = columnsOf(sending, lists);
  const subscribed = lists.reduce((sum, { counts }) => sum + counts.subscribed, 0);
  // People with the same date in the same column get the same emails: one column needs nobody's hash.
  const oneIn = columns.length > 1 ? Math.max(1, Math.ceil(subscribed / MOST_PEOPLE)) : 1;
  const people = new Map<string, Start[]>();
  const groups = new Map<string, Group>();
  const hours = new Set<number>();
  let isComplete = true;
  for await (const { of, hour, rows } of rowsByHour(table, columns, now)) {
    hours.add(hour.from.getTime());
    for (const { hash, instant } of rows) {
      const start = { column: of, trigger: instant };
      if (columns.length === 1) addTo(groups, [start]);
      else if (isSample(hash, oneIn)) people.set(hash, [...(people.get(hash) ?? []), start]);
    }
    isComplete = hasTime();
    if (!isComplete) break;
  }
  for (const starts of people.values()) addTo(groups, starts);
  const days = countByDay(groups.values(), { now, sending, limits });
  return {
    days: days.map(day => ({ ...day, count: day.count * oneIn, skipped: day.skipped * oneIn })),
    total_count: days.reduce((sum, { count }) => sum + count * oneIn, 0),
    estimated: oneIn > 1,
    counted_share: isComplete ? 1 : Math.min(hours.size / 24, 0.99),
  };
}

/** Where some automations find the dates of a list's members, and which of them do. */
type Column = { list: string; column: string; automations: Automation[] };

const columnsOf = (sending: Automation[], lists: list.Found[]): Column[] =>
  lists.flatMap(({ id }) => {
    const ofList = sending.filter(({ email_list_ids }) => email_list_ids.includes(id));
    const byColumn = Map.groupBy(ofList, ({ metadata_trigger }) => metadata_trigger ?? recipient.ADDED);
    return [...byColumn].map(([column, of]) => ({ list: id, column, automations: of }));
  });

/** The date of a person in a column. */
type Start = { column: Column; trigger: Date };
/** How many people have these dates, and no others. */
type Group = { starts: Start[]; people: number };

function addTo(groups: Map<string, Group>, starts: Start[]): void {
  const key = starts
    .map(({ column, trigger }) => `${column.list}#${column.column}#${trigger.getTime() / MINUTE}`)
    .sort()
    .join('\n');
  const group = groups.get(key);
  if (group) group.people++;
  else groups.set(key, { starts, people: 1 });
}

/** Hashes are random: any part of them is a sample. */
const isSample = (hash: string, oneIn: number) =>
  oneIn === 1 || Buffer.from(hash, 'base64url').readUInt32BE(0) % oneIn === 0;

type Terms = { now: Date; sending: Automation[]; limits: Safeguards | undefined };

function countByDay(groups: Iterable<Group>, { now, limits }: Terms): Forecast['days'] {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const days = Array.from({ length: FORECAST_DAYS }, (_, day) => ({
    date: new Date(today + day * DAY).toISOString().slice(0, 10),
    count: 0,
    skipped: 0,
  }));
  const until = new Date(today + FORECAST_DAYS * DAY);
  // What they got before counts for the safeguards. One automation alone has to know about today.
  const from = new Date(limits ? now.getTime() - safeguards.LONGEST_WINDOW : today);
  for (const { starts, people } of groups) {
    for (const { at, isSkipped } of emailsOf(starts, { from, until }, limits)) {
      if (at < now.getTime()) continue;
      const day = days[Math.floor((at - today) / DAY)];
      if (day) day[isSkipped ? 'skipped' : 'count'] += people;
    }
  }
  return days;
}

type Email = { at: number; isSkipped: boolean };

/** What a person gets: each key once, a copy only after its first email, and no more than the safeguards allow. */
function emailsOf(starts: Start[], interval: Interval, limits: Safeguards | undefined): Email[] {
  const due = starts
    .flatMap(({ column, trigger }) =>
      column.automations.flatMap(automation =>
        dueOccurrences(trigger, automation, interval).map(occurrence => ({
          ...occurrence,
          list: column.list,
        })),
      ),
    )
    .sort(
      (a, b) => a.at.getTime() - b.at.getTime() || (`${a.key}#${a.list}` < `${b.key}#${b.list}` ? -1 : 1),
    );
  const sent = new Map<string, number>();
  const skipped = new Set<string>();
  const emails: Email[] = [];
  for (const { key, copy, at } of due) {
    const instant = at.getTime();
    if (sent.has(key)) continue;
    if (copy > 1 && skipped.has(firstKey(key))) continue;
    const isSkipped =
      limits !== undefined && safeguards.cappedBy(limits, [...sent.values()], instant) !== undefined;
    if (isSkipped) skipped.add(key);
    else sent.set(key, instant);
    emails.push({ at: instant, isSkipped });
  }
  return emails;
}

/** Of the first email of an occurrence. */
const firstKey = (key: Occurrence['key']) => key.replace(/\d$/, '1');
