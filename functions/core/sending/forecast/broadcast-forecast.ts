import type { Linked } from '#core/automation/automation.store.ts';
import type { StoredBroadcast } from '#core/automation/broadcast.store.ts';
import { readCounted } from '#core/list/list.store.ts';
import { LONGEST_WINDOW } from '#core/organization/safeguards.ts';
import type { BroadcastForecast } from '#shared/broadcast.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { asScheduled, beginOf } from '../broadcast.ts';
import { isSent, type Needs, type Predicted, predict, readState, withAutomation } from './predict.ts';

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
