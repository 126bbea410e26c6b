import type { Linked, StoredAutomation } from '#core/automation/automation.store.ts';
import type { StoredBroadcast } from '#core/automation/broadcast.store.ts';
import type { Interval } from '#core/automation/due/occurrences.ts';
import { readCounted } from '#core/list/list.store.ts';
import type { Tried } from '#core/list/member-import/member-import.ts';
import { LONGEST_WINDOW } from '#core/organization/safeguards.ts';
import { BACKFILL } from '#core/timeouts.ts';
import type { BroadcastForecast } from '#shared/broadcast.ts';
import { type Expected, FORECAST_DAYS, type Forecast, type Upcoming } from '#shared/forecast.ts';
import type { ImportForecast, ImportSample } from '#shared/member-import.ts';
import { datetimesOf } from '#shared/metadata.ts';
import type { Sampled } from '#shared/simulation.ts';
import { DAY, startOfDay, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { asScheduled, beginOf } from '../broadcast.ts';
import {
  isSent,
  type Needs,
  nameOf,
  type Predicted,
  predict,
  readState,
  type State,
  sourcesOf,
  withAutomation,
  withSwitchedOn,
} from './predict.ts';

/** Beside all others. If it is off, it is taken as switched on now. */
export async function ofAutomation(needs: Needs, automation: StoredAutomation): Promise<Forecast> {
  const state = await readState(needs.table, automation.organization_id);
  return forecast(needs, withSwitchedOn(automation, needs.now)(state), automation.id);
}

/** Of what is not stored, as if it had content. It takes the place of the automation with its id. */
export async function ofDraft(needs: Needs, draft: StoredAutomation): Promise<Forecast> {
  const state = await readState(needs.table, draft.organization_id);
  const linked = new Map(state.linked).set(draft.id, { template: new Set(['new']) });
  const draftState = { ...withSwitchedOn(draft, needs.now)(state), linked };
  return forecast({ ...needs, ...MOST_FOR_UPCOMING }, draftState, draft.id);
}

export const ofOrganization = async (needs: Needs, organizationId: number): Promise<Forecast> =>
  forecast(needs, await readState(needs.table, organizationId));

async function forecast(needs: Needs, state: State, automation?: string): Promise<Forecast> {
  // The minute that has begun is swept when it has ended.
  const from = startOfMinute(needs.now.getTime());
  const today = startOfDay(from);
  const days = Array.from({ length: FORECAST_DAYS }, () => ({ count: 0, skipped: 0 }));
  const interval = { from: new Date(from), until: new Date(today + FORECAST_DAYS * DAY) };
  const { shown, next_at, ...looked } = await countEmails(needs, { state, automation, interval }, email => {
    const day = days[Math.floor((email.due - today) / DAY)];
    if (day) add(day, email);
  });
  const counts = days.map(shown);
  return {
    days: counts.map((day, nth) => ({
      date: new Date(today + nth * DAY).toISOString().slice(0, 10),
      ...day,
    })),
    total_count: counts.reduce((sum, { count }) => sum + count, 0),
    next_at,
    ...looked,
  };
}

/** The home page asks on each visit, and the form while somebody edits, so that the reads are bounded. */
export const MOST_FOR_UPCOMING = { mostDates: 20_000, mostPeople: 1_000 };

export async function upcoming(
  needs: Needs,
  organizationId: number,
  most = MOST_FOR_UPCOMING,
): Promise<Upcoming> {
  const state = await readState(needs.table, organizationId);
  const from = startOfMinute(needs.now.getTime());
  const interval = { from: new Date(from), until: new Date(from + 7 * DAY) };
  const day: Expected = { count: 0, skipped: 0 };
  const week: Expected = { count: 0, skipped: 0 };
  const senders = new Map<string, { count: number; next: number }>();
  const { shown, next_at, ...looked } = await countEmails(
    { ...needs, ...most },
    { state, interval },
    email => {
      if (email.due < from + 7 * DAY) add(week, email);
      if (email.due < from + DAY) add(day, email);
      if (!isSent(email)) return;
      const { count, next } = senders.get(email.automation) ?? { count: 0, next: email.due };
      senders.set(email.automation, { count: count + 1, next: Math.min(next, email.due) });
    },
  );
  return {
    next_24_hours: shown(day),
    next_7_days: shown(week),
    next_at,
    automations: [...senders]
      .sort(([, a], [, b]) => a.next - b.next)
      .map(([id, { count, next }]) => ({
        automation_id: id,
        name: state.automations.get(id)?.name ?? '',
        next_at: next_at && new Date(next).toISOString(),
        count: shown({ count, skipped: 0 }).count,
      })),
    ...looked,
  };
}

function add(expected: Expected, email: Predicted): void {
  expected[isSent(email) ? 'count' : 'skipped']++;
}

type Counted = { state: State; interval: Interval; automation?: string | undefined };

/** Calls `count` for each predicted email of the people who are read; `shown` scales up a sample, which does not say what is next. */
async function countEmails(
  needs: Needs,
  { state, automation, interval }: Counted,
  count: (email: Predicted) => void,
) {
  const isAsked = (source: { automation: string }) =>
    automation === undefined || source.automation === automation;
  let next = Number.POSITIVE_INFINITY;
  const { scaled, ...looked } = await predict(needs, { states: [state], interval, isAsked }, ([all = []]) => {
    const emails = all.filter(isAsked);
    for (const email of emails) count(email);
    const sent = emails.filter(isSent);
    next = Math.min(next, ...sent.map(({ due }) => due));
    return sent.length;
  });
  const shown = ({ count, skipped }: Expected) => ({ count: scaled(count), skipped: scaled(skipped) });
  const isKnown = Number.isFinite(next) && !looked.sampled && looked.counted_share === 1;
  return { shown, next_at: isKnown ? new Date(next).toISOString() : null, ...looked };
}

/** Days off, quiet hours and time zones delay it by less. */
const LONGEST = 4 * DAY;
/** What others send before counts as far back as the longest window, whose emails may be late. */
const BEFORE = LONGEST_WINDOW + DAY;

/** Who would get it, or is left, beside all other automations. */
export async function forecastBroadcast(
  needs: Needs,
  broadcast: StoredBroadcast,
  linked?: Linked,
): Promise<BroadcastForecast> {
  const { table, now } = needs;
  const scheduled = asScheduled(broadcast, now);
  const { id, organization_id, email_list_ids, broadcast: when = { at: now.toISOString() } } = scheduled;
  const [stored, lists] = await Promise.all([
    readState(table, organization_id),
    readCounted(table, organization_id, email_list_ids),
  ]);
  const state = withAutomation(scheduled)(stored);
  const known = linked ? { ...state, linked: new Map(state.linked).set(id, linked) } : state;
  const begin = Math.max(now.getTime(), beginOf(when).getTime());
  const from = new Date(startOfMinute(Math.max(now.getTime(), begin - BEFORE)));
  const until = new Date(begin + LONGEST);
  const counts = { people: 0, emails: 0, no_match: 0 };
  let days = 1;
  const notSent = new Map<NonNullable<Predicted['notSent']>, number>();
  const isAsked = ({ automation }: { automation: string }) => automation === id;
  const { scaled, ...looked } = await predict(
    needs,
    { states: [known], interval: { from, until }, isAsked },
    ([emails = []], { leftOut: [leftOut = []] }) => {
      const own = emails.filter(isAsked);
      const isMailed = own.some(isSent);
      days = Math.max(days, ...own.map(({ daysLater = 0 }) => 1 + daysLater));
      const reason = own.find(one => !isSent(one))?.notSent;
      counts.people++;
      if (isMailed) counts.emails++;
      else if (reason) notSent.set(reason, (notSent.get(reason) ?? 0) + 1);
      else if (leftOut.some(isAsked)) counts.no_match++;
      return Number(isMailed);
    },
  );
  return {
    people: scaled(counts.people),
    emails: scaled(counts.emails),
    no_match: scaled(counts.no_match),
    days,
    not_sent: Object.fromEntries([...notSent].map(([reason, count]) => [reason, scaled(count)])),
    not_subscribed: lists.reduce((sum, list) => sum + list.counts.total - list.counts.subscribed, 0),
    ...looked,
  };
}

const IMPORT_DAYS = 30;

/** The emails that would not be sent without an import, by a sample of its rows; as if all were stored now. */
export async function ofImport(
  needs: Needs,
  organizationId: number,
  tried: Tried[],
  { rows, of: ofAll }: Pick<ImportSample, 'rows' | 'of'>,
): Promise<ImportForecast> {
  const before = await readState(needs.table, organizationId);
  const isMailed = sourcesOf(before).some(({ list }) => list === tried[0]?.after.list_id);
  const members = new Map(tried.map(({ hash, after }) => [hash, after]));
  const dated = new Set(tried.filter(isNewlyDated).map(({ hash }) => hash));
  // The minute that has begun is swept when it has ended. With a new date, a member also gets what was due within the last hour.
  const from = startOfMinute(needs.now.getTime());
  const interval = { from: new Date(from - BACKFILL), until: new Date(from + IMPORT_DAYS * DAY) };
  const byAutomation = new Map<string, { day: number; all: number }>();
  const people = new Set(members.keys());
  // Rows that change nothing by now lead to nothing.
  const of = Math.round((ofAll * people.size) / rows.length);
  const question = { states: [before, { ...before, members }], interval, people, of };
  const { scaled, sampled } = await predict(needs, question, ([without = [], having = []], { hash }) => {
    const known = new Set(without.filter(isSent).map(nameOf));
    const more = having
      .filter(isSent)
      .filter(email => !known.has(nameOf(email)) && (email.due >= from || dated.has(hash)));
    for (const { automation, due } of more) {
      const count = byAutomation.get(automation) ?? { day: 0, all: 0 };
      byAutomation.set(automation, count);
      count.all++;
      if (due < from + DAY) count.day++;
    }
    return more.length;
  });
  const automations = [...byAutomation].map(([id, { day, all }]) => ({
    id,
    name: before.automations.get(id)?.name ?? '',
    next_24_hours: scaled(day),
    next_30_days: scaled(all),
  }));
  const sum = (field: 'next_24_hours' | 'next_30_days') =>
    automations.reduce((total, automation) => total + automation[field], 0);
  return {
    next_24_hours: sum('next_24_hours'),
    next_30_days: sum('next_30_days'),
    automations: automations.sort((a, b) => b.next_30_days - a.next_30_days || (a.name < b.name ? -1 : 1)),
    sampled: isMailed ? withLeastMargin(sampled, sum('next_30_days')) : null,
  };
}

/** Where nobody of a sample gets an email, up to three of as many people may (95 percent). */
const withLeastMargin = (sampled: Sampled | null, emails: number): Sampled | null =>
  sampled && emails === 0
    ? { ...sampled, margin: Math.ceil((3 * sampled.of) / Math.max(1, sampled.people)) }
    : sampled;

/** As those that the stream gives to the backfill. */
function isNewlyDated({ before, after }: Tried): boolean {
  const dates = ({ metadata }: Pick<Tried['after'], 'metadata'>) =>
    JSON.stringify([timeZoneOf(metadata), datetimesOf(metadata)]);
  return before?.status !== 'subscribed' || dates(before) !== dates(after);
}
