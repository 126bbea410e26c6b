import { FORECAST_DAYS, type Forecast } from '../../../../shared/forecast.ts';
import type { Safeguards } from '../../../../shared/safeguards.ts';
import * as list from '../../list/list/list.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import * as automations from '../automation/automation.ts';
import { dueOccurrences, type Interval, laterOf, type Occurrence } from '../due/due.ts';
import { rowsAroundClock } from '../trigger-rows/trigger-rows.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

type Needs = { table: Table; now: Date; hasTime: (besides?: number) => boolean };
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
    safeguards.read(table, organizationId),
  ]);
  return forecast(needs, organizationId, sending, limits);
}

/** Beyond so many people with dates of their own, some of them stand for all. */
const MOST_PEOPLE = 20_000;
/** Beyond so many emails to go through, fewer people stand for all. */
const MOST_EMAILS = 1_000_000;
// What is left for counting their emails when the time for reading runs out.
const COUNTING_MS = 8_000;

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
  // The minute that has begun is swept when it has ended.
  const from = Math.floor(now.getTime() / MINUTE) * MINUTE;
  const people = new Map<string, Start[]>();
  const groups = new Map<string, Group>();
  let shareRead = 1;
  for await (const { of, rows, readUntil } of rowsAroundClock(table, columns, now)) {
    for (const { hash, instant } of rows) {
      const start = { column: of, trigger: instant };
      if (columns.length === 1) addTo(groups, [start], hash);
      else if (isSample(hash, oneIn)) people.set(hash, [...(people.get(hash) ?? []), start]);
    }
    shareRead = (readUntil.getTime() - from) / DAY;
    if (!hasTime(COUNTING_MS)) break;
  }
  for (const [hash, starts] of people) addTo(groups, starts, hash);
  const all = [...groups.values()];
  const share = Math.max(all.length / MOST_PEOPLE, emailsIn(all) / MOST_EMAILS);
  const oneGroupIn = Math.max(1, Math.ceil(share));
  const some = all.filter(({ hash }) => isSample(hash, oneGroupIn, OTHER_BYTES));
  const weight = (oneIn * peopleIn(all)) / Math.max(1, peopleIn(some));
  const { days, counted } = countByDay(some, { from, limits, hasTime });
  const shown = days.map(day => ({
    ...day,
    count: Math.round(day.count * weight),
    skipped: Math.round(day.skipped * weight),
  }));
  return {
    days: shown,
    total_count: shown.reduce((sum, { count }) => sum + count, 0),
    estimated: oneIn > 1 || oneGroupIn > 1,
    counted_share: shareRead * (some.length === 0 ? 1 : counted / some.length),
  };
}

/** Where some automations find the dates of a list's members, and which of them do. */
type Column = { list: string; column: string; automations: Automation[] };

const columnsOf = (sending: Automation[], lists: list.CountedList[]): Column[] =>
  lists.flatMap(({ id, active_since }) => {
    const ofList = sending
      .filter(({ email_list_ids }) => email_list_ids.includes(id))
      .map(automation => ({ ...automation, active_since: laterOf(automation.active_since, active_since) }));
    const byColumn = Map.groupBy(ofList, ({ metadata_trigger }) => metadata_trigger ?? recipient.ADDED);
    return [...byColumn].map(([column, of]) => ({ list: id, column, automations: of }));
  });

/** The date of a person in a column. */
type Start = { column: Column; trigger: Date };
/** How many people have these dates and no others, with the hash of one of them. */
type Group = { starts: Start[]; people: number; hash: string };

const peopleIn = (groups: Group[]) => groups.reduce((sum, { people }) => sum + people, 0);

function addTo(groups: Map<string, Group>, starts: Start[], hash: string): void {
  const key = starts
    .map(({ column, trigger }) => `${column.list}#${column.column}#${trigger.getTime() / MINUTE}`)
    .sort()
    .join('\n');
  const group = groups.get(key);
  if (group) group.people++;
  else groups.set(key, { starts, people: 1, hash });
}

/** Hashes are random: any part of them is a sample. */
const isSample = (hash: string, oneIn: number, bytes = 0) =>
  oneIn === 1 || Buffer.from(hash, 'base64url').readUInt32BE(bytes) % oneIn === 0;
// A sample of a sample by the same bytes would be all of it.
const OTHER_BYTES = 4;

// With the week before, in which they count for the safeguards.
const DAYS_GONE_THROUGH = FORECAST_DAYS + safeguards.LONGEST_WINDOW / DAY;
const emailsPerStart = ({ automations: of }: Column) =>
  of.reduce((sum, { every_x_days }) => sum + Math.ceil(DAYS_GONE_THROUGH / every_x_days), 0);

/** About how many emails these groups get. */
function emailsIn(groups: Group[]): number {
  const columns = new Map<Column, number>();
  for (const { starts } of groups) {
    for (const { column } of starts) columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  return [...columns].reduce((sum, [column, starts]) => sum + starts * emailsPerStart(column), 0);
}

type Terms = { from: number; limits: Safeguards | undefined; hasTime: () => boolean };

/** What is sent to the groups, and how many of them there was time for. */
function countByDay(groups: Group[], { from, limits, hasTime }: Terms) {
  const today = Math.floor(from / DAY) * DAY;
  const days = Array.from({ length: FORECAST_DAYS }, (_, day) => ({
    date: new Date(today + day * DAY).toISOString().slice(0, 10),
    count: 0,
    skipped: 0,
  }));
  // What went before decides: for the safeguards, and yesterday's first emails for the copies of today.
  const interval = {
    from: new Date(today - (limits ? safeguards.LONGEST_WINDOW : DAY)),
    until: new Date(today + FORECAST_DAYS * DAY),
  };
  let counted = 0;
  for (const { starts, people } of groups) {
    if (!hasTime()) break;
    for (const { at, isSkipped } of emailsOf(starts, interval, limits)) {
      const day = at >= from ? days[Math.floor((at - today) / DAY)] : undefined;
      if (day) day[isSkipped ? 'skipped' : 'count'] += people;
    }
    counted++;
  }
  return { days, counted };
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
  const sent = new Set<string>();
  const caps = limits && safeguards.capsInOrder(limits);
  const emails: Email[] = [];
  for (const { key, copy, at } of due) {
    const instant = at.getTime();
    if (sent.has(key) || (copy > 1 && !sent.has(firstKey(key)))) continue;
    const isSkipped = caps?.isCapped(instant) ?? false;
    if (!isSkipped) {
      sent.add(key);
      caps?.add(instant);
    }
    emails.push({ at: instant, isSkipped });
  }
  return emails;
}

/** Of the first email of an occurrence. */
const firstKey = (key: Occurrence['key']) => key.replace(/\d$/, '1');
