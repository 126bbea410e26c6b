import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { daysAfter, dueOccurrences, type Interval, triggerOf } from '#core/automation/due/occurrences.ts';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import * as listStore from '#core/list/list.store.ts';
import type * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { NotSent } from '#shared/send-status.ts';
import { DELETED } from '#shared/send-status.ts';
import { MOST_SAMPLES, type SampleEmail, type Simulation } from '#shared/simulation.ts';
import { DAY, HOUR, startOfDay, startOfMinute } from '#shared/time.ts';
import {
  isSent,
  type Needs,
  predict,
  READING_PEOPLE,
  readState,
  type Source,
  type State,
  sourcesOf,
  withSwitchedOn,
} from './predict.ts';

/**
 * What an automation would send during the next 24 hours. What falls due is counted from the trigger rows of its lists; what
 * becomes of it is predicted for each person. If the time of a call runs out, `counted_until` says how far it has counted.
 */
export async function simulate(needs: Needs, automation: StoredAutomation): Promise<Simulation> {
  const { table, now } = needs;
  const { id, organization_id, email_list_ids } = automation;
  // The minute that has begun is swept when it has ended.
  const from = new Date(startOfMinute(now.getTime()));
  const until = new Date(from.getTime() + DAY);
  const [lists, stored] = await Promise.all([
    listStore.readCounted(table, organization_id, email_list_ids),
    readState(table, organization_id),
  ]);
  const state = withSwitchedOn(automation, now)(stored);
  const sources = sourcesOf(state).filter(source => source.automation === id);
  const isForSome = Boolean(automation.audience);
  const { due, people, rowsRead, countedUntil } = await dueWithin(needs, sources, { from, until }, isForSome);
  const hours = hoursWithin({ from, until });
  const read = new Set<string>();
  const leftOut = new Set<string>();
  const skipped = new Map<NotSent, number>();
  const insteadOf = new Map<string, number>();
  let firstEmails = 0;
  const question = { states: [state], people, interval: { from, until: countedUntil } };
  const { scaled, sampled } = await predict(needs, question, ([all = []], { hash, leftOut: [left = []] }) => {
    read.add(hash);
    for (const { automation, list, due } of left)
      if (automation === id) leftOut.add(nameOf({ hash, list, at: due }));
    const own = all.filter(email => email.automation === id);
    for (const email of own) {
      hours.at(email.due)[isSent(email) ? 'will_send' : 'skipped']++;
      if (isSent(email) && !email.isCopy) firstEmails++;
      if (email.notSent) increment(skipped, email.notSent);
      for (const other of email.insteadOf ?? []) if (other !== id) increment(insteadOf, other);
    }
    return own.filter(isSent).length;
  });
  const scheduled = due.filter(({ at }) => at >= from.getTime() && at < countedUntil.getTime());
  const meant = leftOut.size > 0 ? scheduled.filter(email => !leftOut.has(nameOf(email))) : scheduled;
  const wanted = isForSome ? oncePerKey(meant) : meant;
  const known =
    (isForSome || leftOut.size > 0) && sampled ? wanted.filter(({ hash }) => read.has(hash)) : wanted;
  const { samples, stray } = await samplesOf(table, state, automation, earliest(known));
  const emails = stray.size > 0 ? known.filter(email => !stray.has(email)) : known;
  for (const { at } of emails) hours.at(at).count++;
  // What is counted of some people alone is scaled up.
  const counted = known === wanted ? (count: number) => count : scaled;
  const hourly_summary = hours.all.map(hour => ({
    ...hour,
    count: counted(hour.count),
    will_send: scaled(hour.will_send),
    skipped: scaled(hour.skipped),
  }));
  const subscribed = lists.reduce((sum, { active, counts }) => sum + (active ? counts.subscribed : 0), 0);
  const isComplete = countedUntil.getTime() === until.getTime();
  return {
    automation: automation.name,
    total_count: counted(emails.length),
    first_emails: scaled(firstEmails),
    will_send: hourly_summary.reduce((sum, { will_send }) => sum + will_send, 0),
    held: counted(emails.filter(({ heldSince }) => heldSince).length),
    skipped: Object.fromEntries([...skipped].map(([reason, count]) => [reason, scaled(count)])),
    safeguards: state.safeguards,
    instead_of: [...insteadOf]
      .sort(([, a], [, b]) => b - a)
      .map(([other, count]) => ({
        id: other,
        name: state.automations.get(other)?.name ?? DELETED,
        count: scaled(count),
      })),
    sampled,
    count: samples.length,
    limited: counted(emails.length) > samples.length,
    max_results: MOST_SAMPLES,
    hourly_summary,
    sample_emails: samples,
    from: from.toISOString(),
    until: until.toISOString(),
    counted_until: countedUntil.toISOString(),
    left_out: isComplete ? Math.max(0, subscribed - rowsRead + stray.size) : null,
    inactive_lists: lists.filter(({ active }) => !active).map(({ name }) => name),
  };
}

type DueEmail = {
  hash: string;
  key: string;
  instant: Date;
  at: number;
  heldSince: Date | undefined;
  list: string;
};

/** Without second and third copies; `people` is everybody who is due, also for those copies. */
async function dueWithin(
  { table, hasTimeLeft }: Needs,
  sources: Source[],
  { from, until }: Interval,
  isForSome: boolean,
) {
  // Who is on two lists and was due in one of them earlier today is not due again today in the other.
  const counted = { from: sources.length > 1 ? new Date(startOfDay(from.getTime())) : from, until };
  const due = new Map<string, DueEmail>();
  const people = new Set<string>();
  let rowsRead = 0;
  let countedUntil = until;
  const isTimed = sources.some(({ rules }) => rules(undefined).timing);
  for await (const { of, rows, readUntil } of rowsAroundClock(table, sources, from)) {
    rowsRead += rows.length;
    for (const { hash, instant, zone } of rows) {
      for (const { key, copy, at, heldSince } of dueOccurrences(instant, of.rules(zone), counted)) {
        const email = { hash, key, instant, at: at.getTime(), heldSince, list: of.list };
        // Who is on two lists may match in one of them.
        const name = isForSome ? `${hash}#${key}#${of.list}` : `${hash}#${key}`;
        if (copy === 1) keepFirst(due, name, email);
        if (at >= from) people.add(hash);
      }
    }
    // With a time of day, a row anywhere in the day may be due next: before all rows are read, no part of the day is
    // complete.
    countedUntil = !isTimed || readUntil >= until ? readUntil : from;
    if (!hasTimeLeft(READING_PEOPLE)) break;
  }
  return { due: [...due.values()], people, rowsRead, countedUntil };
}

/** The first that falls due is sent; of two at once, the one of the list with the lowest id. */
function keepFirst(due: Map<string, DueEmail>, key: string, email: DueEmail): void {
  const other = due.get(key);
  if (!other || email.at < other.at || (email.at === other.at && email.list < other.list))
    due.set(key, email);
}

function oncePerKey(emails: DueEmail[]): DueEmail[] {
  const due = new Map<string, DueEmail>();
  for (const email of emails) keepFirst(due, `${email.hash}#${email.key}`, email);
  return [...due.values()];
}

const nameOf = ({ hash, list, at }: Pick<DueEmail, 'hash' | 'list' | 'at'>) => `${hash} ${list} ${at}`;

const inOrder = (a: DueEmail, b: DueEmail) => a.at - b.at || (a.hash < b.hash ? -1 : 1);

/** The first of the emails, without sorting a million. */
function earliest(emails: DueEmail[]): DueEmail[] {
  let first: DueEmail[] = [];
  for (const email of emails) {
    first.push(email);
    if (first.length >= 20 * MOST_SAMPLES) first = first.sort(inOrder).slice(0, MOST_SAMPLES);
  }
  return first.sort(inOrder).slice(0, MOST_SAMPLES);
}

const increment = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

function hoursWithin({ from, until }: Interval) {
  const first = Math.floor(from.getTime() / HOUR);
  const all = Array.from({ length: Math.ceil(until.getTime() / HOUR) - first }, (_, nth) => ({
    hour: new Date((first + nth) * HOUR).toISOString(),
    count: 0,
    will_send: 0,
    skipped: 0,
  }));
  return { all, at: (instant: number) => all[Math.floor(instant / HOUR) - first] as (typeof all)[number] };
}

type Samples = { samples: SampleEmail[]; stray: Set<DueEmail> };

/** `stray` are emails whose membership does not have the date of the trigger row: it has changed since, or never existed. */
async function samplesOf(
  table: Table,
  { lists }: State,
  automation: StoredAutomation,
  emails: DueEmail[],
): Promise<Samples> {
  const members = new Map<string, memberships.Membership>();
  for (const [list, ofList] of Map.groupBy(emails, email => email.list)) {
    const keys = ofList.map(({ hash }) => ({ organization: automation.organization_id, hash }));
    for (const member of await recipientStore.memberships(table, keys, list)) {
      members.set(recipientKey.memberId(list, recipientKey.hashOf(member.email)), member);
    }
  }
  const { metadata_trigger: column } = automation;
  const stray = new Set<DueEmail>();
  const samples = emails.flatMap((email): SampleEmail[] => {
    const { hash, key, instant, at, heldSince, list } = email;
    const id = recipientKey.memberId(list, hash);
    const member = members.get(id);
    const trigger = member?.status === 'subscribed' ? triggerOf(member, automation) : undefined;
    if (!member || !trigger || startOfMinute(trigger.getTime()) !== startOfMinute(instant.getTime())) {
      stray.add(email);
      return [];
    }
    return [
      {
        list_member_id: id,
        email: member.email,
        list_name: lists.get(list)?.name ?? DELETED,
        scheduled_time: new Date(at).toISOString(),
        held_since: heldSince?.toISOString() ?? null,
        trigger_column: column,
        trigger_value: column === null ? member.created_at : String(member.metadata[column]),
        days_since_trigger: daysAfter(instant, key, automation) ?? 0,
      },
    ];
  });
  return { samples, stray };
}
