import type { Linked, StoredAutomation } from '#core/automation/automation.store.ts';
import type { StoredBroadcast } from '#core/automation/broadcast.store.ts';
import type { Interval } from '#core/automation/due/occurrences.ts';
import { readCounted } from '#core/list/list.store.ts';
import { LONGEST_WINDOW } from '#core/organization/safeguards.ts';
import type { BroadcastForecast } from '#shared/broadcast.ts';
import { type Expected, FORECAST_DAYS, type Forecast, type Upcoming } from '#shared/forecast.ts';
import { DAY, startOfDay, startOfMinute } from '#shared/time.ts';
import { asScheduled, beginOf } from '../broadcast.ts';
import {
  isSent,
  type Needs,
  type Predicted,
  predict,
  readState,
  type State,
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
