import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import { isStarted, nextOccurrence, triggerOf } from '#core/automation/due/occurrences.ts';
import { whenFor } from '#core/automation/due/send-slots.ts';
import type { StoredSequence } from '#core/automation/sequence.store.ts';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import * as listStore from '#core/list/list.store.ts';
import { matched, membersOf } from '#core/list/list-member/matching.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { ADDED } from '#core/sources/source.ts';
import type { AudienceQuestion } from '#shared/automation.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import type { SequencePeople } from '#shared/sequence.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { mismatchOf } from '../state.ts';
import {
  estimateOf,
  lowest,
  MOST_PEOPLE,
  type Needs,
  READING_PEOPLE,
  readState,
  type Source,
  sourcesOf,
  withSwitchedOn,
} from './predict.ts';

// So many people are read between two looks at the time.
const AT_ONCE = 400;
const EVERYBODY = { all: [] };

/** How many subscribed people of some lists match: of up to 10,000 all are read, of more a sample. Each counts once. */
export async function countMatching(
  { table, now, hasTimeLeft, mostPeople = MOST_PEOPLE }: Needs,
  organization: StoredOrganization,
  { email_list_ids, audience, time_zone_of }: AudienceQuestion,
): Promise<AudienceCount> {
  const asked = { organization_id: organization.id, email_list_ids, audience };
  await Promise.all([automations.requireLists(table, asked), automations.requireAudienceLists(table, asked)]);
  const lists = await listStore.readCounted(table, organization.id, [...new Set(email_list_ids)]);
  const columns = lists.map(({ id }) => ({ list: id, column: ADDED }));
  const { people, all, rowsRead, share } = await peopleByList({ table, now, hasTimeLeft }, columns);
  const counts: number[] = [];
  let members = 0;
  for (const hashes of chunksOf(lowest(all, mostPeople), AT_ONCE)) {
    if (!hasTimeLeft()) break;
    const found = await inParallel(lists, 4, list => {
      const whenOf = whenFor({ time_zone_of }, { organization, list }, now);
      const ofList = hashes.filter(hash => people.get(list.id)?.has(hash));
      return matched(table, list, ofList, { audience: audience ?? EVERYBODY, whenOf });
    });
    const subscribed = found.flat().filter(({ status }) => status === 'subscribed');
    const matching = new Set(subscribed.filter(({ isMatch }) => isMatch).map(({ hash }) => hash));
    members += new Set(subscribed.map(({ hash }) => hash)).size;
    counts.push(...hashes.map(hash => (matching.has(hash) ? 1 : 0)));
  }
  // Rows that were not reached are taken to be of as many different people as the others.
  const counted = lists.reduce((sum, { counts }) => sum + counts.subscribed, 0);
  const size = share === 1 ? all.size : Math.max(all.size, Math.round((counted * all.size) / rowsRead));
  const { scaled, sampled } = estimateOf(counts, size);
  return { matching: scaled(counts.reduce((sum, count) => sum + count, 0)), of: scaled(members), sampled };
}

/**
 * Subscribed people who match wait for the first step whose instant is ahead. Nothing is stored for it: the due rule says when
 * a step is due to each. A sequence that is off is taken as switched on now.
 */
export async function countWaiting(
  needs: Needs,
  { organization_id, steps }: StoredSequence,
): Promise<SequencePeople> {
  const { table, now, hasTimeLeft, mostPeople = MOST_PEOPLE } = needs;
  const ids = steps.map(({ automation_id }) => automation_id);
  const [stored, wanted] = await Promise.all([
    readState(table, organization_id),
    automationStore.readThese(
      table,
      organization_id,
      steps.filter(({ active }) => active).map(({ automation_id }) => automation_id),
    ),
  ]);
  const state = wanted.reduce((before, step) => withSwitchedOn(step, now)(before), stored);
  const sources = sourcesOf(state)
    .filter(({ automation }) => ids.includes(automation))
    .sort((a, b) => ids.indexOf(a.automation) - ids.indexOf(b.automation));
  const byList = [...Map.groupBy(sources, ({ list }) => list)];
  const columns = byList.flatMap(([list, [first]]) => (first ? { list, column: first.column } : []));
  const { people, all, share } = await peopleByList(needs, columns);
  const from = new Date(startOfMinute(now.getTime()));
  const read: string[] = [];
  const waiting = new Set<string>();
  for (const hashes of chunksOf(lowest(all, mostPeople), AT_ONCE)) {
    if (!hasTimeLeft()) break;
    const found = await inParallel(byList, 4, ([list, ofList]) => {
      const audience = state.automations.get(ofList[0]?.automation ?? '')?.audience;
      const here = hashes.filter(hash => people.get(list)?.has(hash));
      return membersOf(table, { id: list, organization_id }, here, audience, member => {
        if (member.status !== 'subscribed') return [];
        const step = ofList.find(source => isAhead(source, member, from))?.automation;
        const automation = state.automations.get(step ?? '');
        if (!automation || mismatchOf(state, list, automation, member, now)) return [];
        return [`${hashOf(member.email)}#${automation.id}`];
      });
    });
    read.push(...hashes);
    // A person on two lists counts once per step, and may wait for a different step on each list.
    for (const pair of found.flat(2)) waiting.add(pair);
  }
  const counted = ids.map(id => {
    const counts = read.map(hash => Number(waiting.has(`${hash}#${id}`)));
    const { scaled, sampled } = estimateOf(counts, all.size);
    return { people: scaled(counts.reduce((sum, count) => sum + count, 0)), sampled };
  });
  // The margin is that of the step whose number is the least certain.
  const [sampled = null] = counted
    .map(({ sampled }) => sampled)
    .sort((a, b) => (b?.margin ?? 0) - (a?.margin ?? 0));
  return {
    steps: ids.map((id, at) => ({ automation_id: id, people: counted[at]?.people ?? 0 })),
    sampled,
    counted_share: share,
  };
}

/** Whether the email of a step is still to come to a member. */
function isAhead({ rules }: Source, member: Membership, from: Date): boolean {
  const rule = rules(timeZoneOf(member.metadata));
  const trigger = triggerOf(member, rule);
  if (!trigger) return false;
  return nextOccurrence(trigger, rule, from, next => isStarted(member, trigger, rule, next)) !== undefined;
}

type Found = {
  /** By list. */
  people: Map<string, Set<string>>;
  all: Set<string>;
  rowsRead: number;
  /** The part of the day whose rows could be read in time. */
  share: number;
};

/** Who has a row in a column of some lists, as far as the time allows. */
export async function peopleByList(
  { table, now, hasTimeLeft }: Needs,
  columns: { list: string; column: string }[],
): Promise<Found> {
  const found: Found = {
    people: new Map(columns.map(({ list }) => [list, new Set<string>()])),
    all: new Set<string>(),
    rowsRead: 0,
    share: 1,
  };
  for await (const { of, rows, readUntil } of rowsAroundClock(table, columns, now)) {
    for (const { hash } of rows) {
      found.people.get(of.list)?.add(hash);
      found.all.add(hash);
    }
    found.rowsRead += rows.length;
    found.share = Math.min(1, (readUntil.getTime() - startOfMinute(now.getTime())) / DAY);
    if (!hasTimeLeft(READING_PEOPLE)) break;
  }
  return found;
}
