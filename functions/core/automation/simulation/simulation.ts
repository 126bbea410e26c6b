import { MOST_SAMPLES, type SampleEmail, type Simulation } from '../../../../shared/simulation.ts';
import * as list from '../../list/list/list.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import type { StoredAutomation } from '../automation/automation.ts';
import { dueOccurrences, type Interval, laterOf, triggerOf } from '../due/due.ts';
import { rowsAroundClock } from '../trigger-rows/trigger-rows.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ONE_EMAIL = {
  double_send_first: false,
  double_send_second: false,
  double_send_third: false,
  triple_send_first: false,
  triple_send_second: false,
  triple_send_third: false,
};

type Needs = { table: Table; now: Date; hasTime: () => boolean };
type Due = { hash: string; instant: Date; at: number; list: list.CountedList };

/**
 * What an automation would send during the next 24 hours, if it stays or is switched on: from the trigger rows of its
 * lists, each of which is read once. Where the time of a call runs out, it says until when it has counted.
 */
export async function simulate(
  { table, now, hasTime }: Needs,
  automation: StoredAutomation,
): Promise<Simulation> {
  // The minute that has begun is swept when it has ended.
  const from = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  const until = new Date(from.getTime() + DAY);
  const found = await list.readCounted(table, automation.organization_id, automation.email_list_ids);
  const lists = found.filter(({ active }) => active);
  const terms = {
    ...automation,
    ...ONE_EMAIL,
    active_since: automation.active ? automation.active_since : now.toISOString(),
  };
  // Who is on two lists and was due in one of them earlier today is not due again today in the other.
  const counted = { from: lists.length > 1 ? startOfDay(now) : from, until };
  const due = new Map<string, Due>();
  let rowsRead = 0;
  let countedUntil = until;
  const columns = lists.map(of => ({
    list: of.id,
    column: automation.metadata_trigger ?? recipient.ADDED,
    terms: { ...terms, active_since: laterOf(terms.active_since, of.active_since) },
    of,
  }));
  for await (const { of, rows, readUntil } of rowsAroundClock(table, columns, from)) {
    rowsRead += rows.length;
    for (const { hash, instant } of rows) {
      for (const { key, at } of dueOccurrences(instant, of.terms, counted)) {
        keepFirst(due, `${hash}#${key}`, { hash, instant, at: at.getTime(), list: of.of });
      }
    }
    countedUntil = readUntil;
    if (!hasTime()) break;
  }
  const scheduled = [...due.values()].filter(({ at }) => at >= from.getTime() && at < countedUntil.getTime());
  const { samples, stray } = await samplesOf(table, automation, earliest(scheduled));
  const emails = stray.size > 0 ? scheduled.filter(email => !stray.has(email)) : scheduled;
  const isComplete = countedUntil.getTime() === until.getTime();
  const subscribed = lists.reduce((sum, { counts }) => sum + counts.subscribed, 0);
  return {
    automation: automation.name,
    total_count: emails.length,
    count: samples.length,
    limited: emails.length > samples.length,
    max_results: MOST_SAMPLES,
    hourly_summary: byHour(emails, { from, until }),
    sample_emails: samples,
    from: from.toISOString(),
    until: until.toISOString(),
    counted_until: countedUntil.toISOString(),
    left_out: isComplete ? Math.max(0, subscribed - rowsRead + stray.size) : null,
    inactive_lists: found.filter(({ active }) => !active).map(({ name }) => name),
  };
}

const startOfDay = (instant: Date) => new Date(Math.floor(instant.getTime() / DAY) * DAY);

/** The first that falls due is sent; of two at once, the one of the list with the lowest id. */
function keepFirst(due: Map<string, Due>, key: string, one: Due): void {
  const other = due.get(key);
  if (!other || one.at < other.at || (one.at === other.at && one.list.id < other.list.id)) due.set(key, one);
}

const inOrder = (a: Due, b: Due) => a.at - b.at || (a.hash < b.hash ? -1 : 1);

/** The first of the emails, without sorting a million. */
function earliest(emails: Due[]): Due[] {
  let first: Due[] = [];
  for (const email of emails) {
    first.push(email);
    if (first.length >= 20 * MOST_SAMPLES) first = first.sort(inOrder).slice(0, MOST_SAMPLES);
  }
  return first.sort(inOrder).slice(0, MOST_SAMPLES);
}

/** By the hours in UTC that the window touches. */
function byHour(emails: Due[], { from, until }: Interval): Simulation['hourly_summary'] {
  const counts = new Map<number, number>();
  for (let hour = hourOf(from.getTime()); hour < until.getTime(); hour += HOUR) counts.set(hour, 0);
  for (const { at } of emails) counts.set(hourOf(at), (counts.get(hourOf(at)) ?? 0) + 1);
  return [...counts].map(([hour, count]) => ({ hour: new Date(hour).toISOString(), count }));
}

const hourOf = (instant: number) => Math.floor(instant / HOUR) * HOUR;

type Samples = { samples: SampleEmail[]; stray: Set<Due> };

/** As members see them; stray is what their membership does not confirm, as it has changed or was never there. */
async function samplesOf(table: Table, automation: StoredAutomation, emails: Due[]): Promise<Samples> {
  const members = new Map<string, recipient.Membership>();
  for (const [of, some] of Map.groupBy(emails, email => email.list)) {
    const keys = some.map(({ hash }) => ({ organization: automation.organization_id, hash }));
    for (const member of await recipient.memberships(table, keys, of.id)) {
      members.set(recipient.memberId(of.id, recipient.hashOf(member.email)), member);
    }
  }
  const { metadata_trigger: column } = automation;
  const stray = new Set<Due>();
  const samples = emails.flatMap((email): SampleEmail[] => {
    const { hash, instant, at, list: of } = email;
    const id = recipient.memberId(of.id, hash);
    const member = members.get(id);
    if (member?.status !== 'subscribed' || !isAt(instant, triggerOf(member, automation))) {
      stray.add(email);
      return [];
    }
    return [
      {
        list_member_id: id,
        email: member.email,
        list_name: of.name,
        scheduled_time: new Date(at).toISOString(),
        trigger_column: column,
        trigger_value: column === null ? member.created_at : String(member.metadata[column]),
        days_since_trigger: (at - instant.getTime()) / DAY,
      },
    ];
  });
  return { samples, stray };
}

const isAt = (minute: Date, instant: Date | undefined) =>
  instant !== undefined && Math.floor(instant.getTime() / MINUTE) * MINUTE === minute.getTime();
