import type { ByFile } from './planted.ts';

const LOST = 'every occurrence is claimed or skipped with a reason';
const BACKFILL = 'what fell due before a member was stored is claimed or skipped';
const ZONED = 'every claim is of what is due';
const QUIET = 'nothing is posted in quiet hours but what has just fallen due';

/** Faults in times of day, days off and quiet hours. */
export const TIMES: ByFile = {
  'core/sending/state.ts': [
    {
      name: 'a late pack does not wait for the end of quiet hours',
      find: 'return end > now.getTime() ? new Date(end) : undefined;',
      replace: 'return end < 0 ? new Date(end) : undefined;',
      caughtBy: QUIET,
    },
  ],
  'core/organization/sending-hours.ts': [
    {
      name: 'a change of quiet hours forgets the earlier ones',
      find: 'hours: [...kept, { since, time_zone, quiet_hours }]',
      replace: 'hours: [...kept.slice(0, 0), { since, time_zone, quiet_hours }]',
      caughtBy: LOST,
    },
    {
      name: 'a change of quiet hours holds at once',
      find: '(Math.floor(now.getTime() / MINUTE) + 2) * MINUTE',
      replace: '(Math.floor(now.getTime() / MINUTE) - 2) * MINUTE',
      caughtBy: LOST,
    },
  ],
  'core/automation/due/read-plan.ts': [
    {
      name: 'the members of one time zone are looked for at no time',
      find: 'for (const zone of TIME_ZONES) add(zone);',
      replace: "for (const zone of TIME_ZONES) if (!zone.startsWith('America')) add(zone);",
      caughtBy: LOST,
    },
    {
      name: 'the end of quiet hours is looked for without the minutes that wait for it',
      find: 'minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due)));',
      replace: 'if (at === due) minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due)));',
      caughtBy: LOST,
    },
    {
      name: 'the copies of what was held are looked for six hours after its date',
      find: 'delay === 0 ? first.at : timing.laterThan(first, delay).at',
      replace:
        'delay === 0 ? first.at : timing.laterThan({ ...first, at: first.heldSince ?? first.at }, delay).at',
      caughtBy: LOST,
    },
  ],
  'core/automation/due/occurrences.ts': [
    {
      name: 'the day of an email at a time of day is that in UTC',
      find: 'const key = keyOf(automation.id, first.day, copy);',
      replace: 'const key = keyOf(automation.id, dayOf(first.at), copy);',
      caughtBy: ZONED,
    },
    {
      name: 'all that waits for the same minute goes',
      find: 'new Map(all.map(occurrence => [occurrence.at.getTime(), occurrence]))',
      replace: 'new Map(all.map(occurrence => [occurrence.key, occurrence]))',
      caughtBy: ZONED,
    },
  ],
  'core/sending/sweep/part.ts': [
    {
      name: 'members with a time zone are found by that and without it',
      find: 'if (zone === undefined && row.zone !== undefined && !isOfAllZones && isByZone(timed)) continue;',
      caughtBy: 'a pack names nobody twice',
    },
  ],
  'core/recipient/trigger.ts': [
    {
      name: 'the row of a member keeps the time zone that it had',
      find: 'rows.filter(row => !existing.some(isSameKey(row)))',
      replace:
        'rows.filter(row => !existing.some(other => isSameKey(row)(other) || isOfSameDate(row, other)))',
      caughtBy: LOST,
    },
  ],
  'core/automation/due/send-slots.ts': [
    {
      name: 'who has no time zone goes by UTC, not by that of the organization',
      find: "(time_zone_of !== 'organization' && list?.time_zone) || ofOrganization",
      replace: "(time_zone_of !== 'organization' && list?.time_zone) || UTC",
      caughtBy: ZONED,
    },
    {
      name: 'the time zone of a list is passed over',
      find: "(time_zone_of !== 'organization' && list?.time_zone) || ofOrganization",
      replace: 'ofOrganization',
      caughtBy: ZONED,
    },
    {
      name: 'a date without a time is an instant',
      find: 'isDate ? due / DAY : this.#dayOf(due, this.sendAt)',
      replace: 'this.#dayOf(due, this.sendAt)',
      caughtBy: ZONED,
    },
    {
      name: 'what falls on a day off goes on the next one, which may be off too',
      find: 'while (this.isOff(workday)) workday++;',
      replace: 'workday++;',
      caughtBy: ZONED,
    },
    {
      name: 'what was held until a day off goes on it',
      find: 'const isOff = this.hasDaysOff && this.isOff(dayOf(this.zone.localTime(end)));',
      replace: 'const isOff = false;',
      caughtBy: ZONED,
    },
    {
      name: 'a time of day that comes twice is taken the second time',
      find: 'for (const instant of [earliest, latest])',
      replace: 'for (const instant of [latest, earliest])',
      caughtBy: ZONED,
    },
    {
      name: 'a time of day that is left out goes as if the clocks had not been changed',
      find: 'return firstMinute(earliest, latest, instant => this.localTime(instant) >= wanted);',
      replace: 'return latest;',
      caughtBy: ZONED,
    },
    {
      name: 'clocks are changed as a day in UTC begins',
      find: 'before === after ? end : firstMinute(begin, end, instant => this.#read(instant) === after);',
      replace: 'before === after ? end : begin;',
      caughtBy: ZONED,
    },
  ],
  'core/sending/backfill.ts': [
    {
      name: 'who has just been stored is looked for without their time zone',
      find: 'ruleFor(state, list, automation, membership.metadata)',
      replace: 'ruleFor(state, list, automation, {})',
      caughtBy: BACKFILL,
    },
    {
      name: 'the dispatcher ignores who gets another time zone',
      find: 'timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)',
      replace: 'before.metadata === membership.metadata',
      caughtBy: BACKFILL,
    },
  ],
  'core/sending/claim/decide.ts': [
    {
      name: 'the sender decides without the time zone of the member',
      find: 'ruleFor(context, pair.list, automation, membership.metadata)',
      replace: 'ruleFor(context, pair.list, automation, {})',
      caughtBy: ZONED,
    },
  ],
};
