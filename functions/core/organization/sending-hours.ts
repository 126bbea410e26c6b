import { isDeepStrictEqual } from 'node:util';
import { newRevision } from '#core/id.ts';
import { definedFields, optimistically } from '#core/storage/write.store.ts';
import { INITIAL_SENDING_HOURS, type SendingHours, type SendingHoursChange } from '#shared/sending-hours.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import * as organizationStore from './organization.store.ts';
import * as organization from './organization.ts';
import { type Changing, recorded } from './record.ts';

/** How long earlier hours are kept: longer than the sweep looks back. */
const HISTORY = 8 * DAY;
/** If there are more changes within that time, the oldest ones are dropped. */
const MOST_CHANGES = 50;

type Stored = organizationStore.StoredOrganization;
type Changed = Stored & Required<Pick<Stored, 'time_zone' | 'hours'>>;

export const shown = ({ time_zone, hours = [] }: Pick<Stored, 'time_zone' | 'hours'>): SendingHours => ({
  time_zone: time_zone ?? INITIAL_SENDING_HOURS.time_zone,
  quiet_hours: hours.at(-1)?.quiet_hours ?? INITIAL_SENDING_HOURS.quiet_hours,
});

/** Applies from the minute after the next, which no sweep has read. Earlier hours are kept for the minutes before. */
export function changed(before: Stored, to: SendingHoursChange, now: Date): Changed {
  const { time_zone, quiet_hours } = { ...shown(before), ...definedFields(to) };
  const since = new Date((Math.floor(now.getTime() / MINUTE) + 2) * MINUTE).toISOString();
  const oldest = new Date(now.getTime() - HISTORY).toISOString();
  // If there are two changes within a minute, the second one applies.
  const earlier = (before.hours ?? []).filter(hours => hours.since < since);
  const reached = earlier.findLastIndex(hours => hours.since <= oldest);
  const kept = earlier.slice(Math.max(0, reached)).slice(-MOST_CHANGES);
  return { ...before, time_zone, hours: [...kept, { since, time_zone, quiet_hours }] };
}

/** What is set of the organization, on condition that nobody else has changed its hours. */
export function changeOf(before: Stored, to: SendingHoursChange, now: Date) {
  const { time_zone, hours } = changed(before, to, now);
  const only = organizationStore.livingAs(before, ['hours_revision']);
  return { set: { time_zone, hours, hours_revision: newRevision() }, only };
}

export const change = (needs: Changing, known: Stored, to: SendingHoursChange): Promise<SendingHours> =>
  optimistically<Stored, SendingHours>({
    known,
    read: () => organization.findLiving(needs, known.id),
    write: async before => {
      // Repeating the same change must not push the hours before it out of the history.
      const [from, wanted] = [shown(before), { ...shown(before), ...definedFields(to) }];
      if (isDeepStrictEqual(wanted, from)) return from;
      const after = await organizationStore.changeIf(
        needs.table,
        known.id,
        changeOf(before, to, needs.now),
        recorded(needs, known.id, { kind: 'sending', from, to: wanted }),
      );
      return after && shown(after);
    },
    conflict: 'Another change of these hours is under way. Please try again.',
  });
