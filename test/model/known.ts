/** What is known of the memberships of a person, as `model.ts` counts it: an event is a date of theirs from the minute in which it came. */
import type { Metadata } from '#shared/metadata.ts';
import { MINUTE } from '#shared/time.ts';
import { inOrder, minuteOf, readDate } from './clocks.ts';
import type { Event, Membership } from './model.ts';

export type Known = { since: number; until: number; memberships: Membership[]; before: Membership[] };

/** Before the first event, and then from each minute in which some came until the next one. */
export function knownOf(memberships: Membership[]): Known[] {
  const minutes = inOrder(new Set(memberships.flatMap(({ events }) => events.map(cameIn))));
  return [Number.NEGATIVE_INFINITY, ...minutes].map((since, place) => ({
    since,
    until: minutes[place] ?? Number.POSITIVE_INFINITY,
    memberships: memberships.map(member => knownIn(member, since)),
    before: memberships.map(member => knownIn(member, since - MINUTE)),
  }));
}

const cameIn = ({ came }: Event) => minuteOf(Date.parse(came));

function knownIn(member: Membership, minute: number): Membership {
  const events = member.events.filter(event => cameIn(event) <= minute && member.added < event.came);
  return { ...member, events, metadata: events.reduce(withEvent, member.metadata) };
}

/** One that is not newer changes nothing, and what is no date is not overwritten. */
function withEvent(metadata: Metadata, { column, at, properties }: Event): Metadata {
  const before = metadata[column] ?? '';
  const isNewer = before === '' || Number(readDate(before)?.instant) < Date.parse(at);
  return isNewer ? { ...metadata, ...properties, [column]: at } : metadata;
}
