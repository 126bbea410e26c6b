import * as automations from '#core/automation/automation.store.ts';
import { isStarted, nextOccurrence, triggerOf } from '#core/automation/due/occurrences.ts';
import type { StoredSequence } from '#core/automation/sequence.store.ts';
import { membersOf } from '#core/list/list-member/matching.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Membership } from '#core/recipient/membership.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import type { SequencePeople } from '#shared/sequence.ts';
import { startOfMinute } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { mismatchOf } from '../state.ts';
import { AT_ONCE, peopleByList } from './audience-count.ts';
import {
  estimateOf,
  lowest,
  MOST_PEOPLE,
  type Needs,
  readState,
  type Source,
  sourcesOf,
  withSwitchedOn,
} from './predict.ts';

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
    automations.readThese(
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
