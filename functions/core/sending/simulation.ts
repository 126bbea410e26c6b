import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { daysAfter, dueOccurrences, type Interval, triggerOf } from '#core/automation/due/rule.ts';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import * as listStore from '#core/list/list.store.ts';
import type * as membership from '#core/recipient/membership.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import { DELETED } from '#shared/send-status.ts';
import { MOST_SAMPLES, type NotSent, type SampleEmail, type Simulation } from '#shared/simulation.ts';
import { DAY, HOUR, MINUTE, startOfMinute } from '#shared/time.ts';

import * as peopleStore from './forecast/people.ts';
import * as personStore from './forecast/person.ts';
import * as planStore from './forecast/plan.ts';
import * as forecast from './predict.ts';

type Needs = { table: Table; now: Date; hasTime: (besides?: number) => boolean };
type Due = {
  hash: string;
  key: string;
  instant: Date;
  at: number;
  heldSince: Date | undefined;
  list: string;
};

/**
 * What an automation would send during the next 24 hours, if it stays or is switched on. What falls due is counted from the
 * trigger rows of its lists, each of which is read once; what becomes of it is decided for each person as a sender does. If
 * the time of a call runs out, `counted_until` says how far it has counted.
 */
export async function simulate(needs: Needs, automation: StoredAutomation): Promise<Simulation> {
  const { table, now, hasTime } = needs;
  // The minute that has begun is swept when it has ended.
  const from = new Date(startOfMinute(now.getTime()));
  const until = new Date(from.getTime() + DAY);
  const [found, stored] = await Promise.all([
    listStore.readCounted(table, automation.organization_id, automation.email_list_ids),
    planStore.readPlan(table, automation.organization_id),
  ]);
  const lists = found.filter(({ active }) => active);
  const plan = planStore.withSwitchedOn(stored, automation, now);
  const prepared = personStore.prepare(plan, now);
  const sources = prepared.sources.filter(source => source.automation === automation.id);
  // Who is on two lists and was due in one of them earlier today is not due again today in the other.
  const counted = { from: sources.length > 1 ? startOfDay(now) : from, until };
  const due = new Map<string, Due>();
  // Everybody who is due in these 24 hours, also for a second or third copy.
  const people = new Set<string>();
  let rowsRead = 0;
  let countedUntil = until;
  const isTimed = sources.some(({ rules }) => rules(undefined).timing);
  for await (const { of, rows, readUntil } of rowsAroundClock(table, sources, from)) {
    rowsRead += rows.length;
    for (const { hash, instant, zone } of rows) {
      for (const { key, copy, at, heldSince } of dueOccurrences(instant, of.rules(zone), counted)) {
        const found = { hash, key, instant, at: at.getTime(), heldSince, list: of.list };
        if (copy === 1) keepFirst(due, `${hash}#${key}`, found);
        if (at >= from) people.add(hash);
      }
    }
    // With a time of day, a row anywhere in the day may be due next: before all rows are read, no part of the day is
    // complete.
    countedUntil = !isTimed || readUntil >= until ? readUntil : from;
    if (!hasTime(forecast.READING_PEOPLE)) break;
  }
  const scheduled = [...due.values()].filter(({ at }) => at >= from.getTime() && at < countedUntil.getTime());
  const { samples, stray } = await samplesOf(table, plan, automation, earliest(scheduled));
  const emails = stray.size > 0 ? scheduled.filter(email => !stray.has(email)) : scheduled;
  const isComplete = countedUntil.getTime() === until.getTime();
  const subscribed = lists.reduce((sum, { counts }) => sum + counts.subscribed, 0);
  const outcome = await outcomeOf(needs, prepared, automation, people, { from, until: countedUntil });
  return {
    automation: automation.name,
    total_count: emails.length,
    will_send: outcome.sent,
    held: emails.filter(({ heldSince }) => heldSince).length,
    skipped: outcome.skipped,
    safeguards: plan.safeguards,
    instead_of: outcome.insteadOf,
    sampled: outcome.sampled,
    count: samples.length,
    limited: emails.length > samples.length,
    max_results: MOST_SAMPLES,
    hourly_summary: byHour(emails, { from, until }, outcome.hours),
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
  if (!other || one.at < other.at || (one.at === other.at && one.list < other.list)) due.set(key, one);
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

type Hour = { sent: number; skipped: number };

/** What becomes of the emails of an automation that fall due for some people. */
async function outcomeOf(
  needs: Needs,
  prepared: personStore.Prepared,
  { id }: StoredAutomation,
  people: ReadonlySet<string>,
  interval: Interval,
) {
  const { plan } = prepared;
  const hours = new Map<number, Hour>();
  const skipped = new Map<NotSent, number>();
  const insteadOf = new Map<string, number>();
  const estimate = new peopleStore.Estimate();
  const read = await peopleStore.readPeople(needs, [plan], people, (hash, person) => {
    const emails = personStore
      .emailsOf(prepared, hash, person, interval)
      .filter(({ automation }) => automation === id);
    for (const { due, notSent, insteadOf: others = [] } of emails) {
      const hour = hours.get(hourOf(due)) ?? { sent: 0, skipped: 0 };
      hours.set(hourOf(due), hour);
      hour[notSent ? 'skipped' : 'sent']++;
      if (notSent) increment(skipped, notSent);
      for (const other of others) if (other !== id) increment(insteadOf, other);
    }
    estimate.add(emails.filter(({ notSent }) => !notSent).length);
  });
  const scaled = (count: number) => Math.round((count * people.size) / read);
  const shownHours = new Map(
    [...hours].map(([hour, { sent, skipped }]) => [hour, { sent: scaled(sent), skipped: scaled(skipped) }]),
  );
  return {
    sent: [...shownHours.values()].reduce((sum, { sent }) => sum + sent, 0),
    skipped: Object.fromEntries([...skipped].map(([reason, count]) => [reason, scaled(count)])),
    insteadOf: [...insteadOf]
      .sort(([, a], [, b]) => b - a)
      .map(([other, count]) => ({
        id: other,
        name: plan.automations.get(other)?.name ?? DELETED,
        count: scaled(count),
      })),
    hours: shownHours,
    sampled: estimate.sampled(read, people.size),
  };
}

const increment = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** By the hours in UTC that the window touches. */
function byHour(
  emails: Due[],
  { from, until }: Interval,
  outcomes: Map<number, Hour>,
): Simulation['hourly_summary'] {
  const counts = new Map<number, number>();
  for (let hour = hourOf(from.getTime()); hour < until.getTime(); hour += HOUR) counts.set(hour, 0);
  for (const { at } of emails) counts.set(hourOf(at), (counts.get(hourOf(at)) ?? 0) + 1);
  return [...counts].map(([hour, count]) => {
    const { sent, skipped } = outcomes.get(hour) ?? { sent: 0, skipped: 0 };
    return { hour: new Date(hour).toISOString(), count, will_send: sent, skipped };
  });
}

const hourOf = (instant: number) => Math.floor(instant / HOUR) * HOUR;

type Samples = { samples: SampleEmail[]; stray: Set<Due> };

/**
 * The emails with what is shown of them. `stray` are those whose membership does not have the date of the trigger row: it
 * has changed since, or never existed.
 */
async function samplesOf(
  table: Table,
  { lists }: planStore.Plan,
  automation: StoredAutomation,
  emails: Due[],
): Promise<Samples> {
  const members = new Map<string, membership.Membership>();
  for (const [of, some] of Map.groupBy(emails, email => email.list)) {
    const keys = some.map(({ hash }) => ({ organization: automation.organization_id, hash }));
    for (const member of await recipientStore.memberships(table, keys, of)) {
      members.set(recipientKey.memberId(of, recipientKey.hashOf(member.email)), member);
    }
  }
  const { metadata_trigger: column } = automation;
  const stray = new Set<Due>();
  const samples = emails.flatMap((email): SampleEmail[] => {
    const { hash, key, instant, at, heldSince, list: of } = email;
    const id = recipientKey.memberId(of, hash);
    const member = members.get(id);
    if (member?.status !== 'subscribed' || !isAt(instant, triggerOf(member, automation))) {
      stray.add(email);
      return [];
    }
    return [
      {
        list_member_id: id,
        email: member.email,
        list_name: lists.get(of)?.name ?? DELETED,
        scheduled_time: new Date(at).toISOString(),
        held_since: heldSince?.toISOString() ?? null,
        trigger_column: column,
        trigger_value: column === null ? member.created_at : String(member.metadata[column]),
        days_since_trigger: daysAfter(instant, key) ?? 0,
      },
    ];
  });
  return { samples, stray };
}

const isAt = (found: Date, instant: Date | undefined) =>
  instant !== undefined && floorMinute(instant) === floorMinute(found);
const floorMinute = (instant: Date) => Math.floor(instant.getTime() / MINUTE);
