import type { Planted } from './planted.ts';

const LOST = 'every occurrence is claimed or skipped with a reason';
const BACKFILL = 'what fell due before a member was stored is claimed or skipped';
const ZONED = 'every claim is of what is due';
const QUIET = 'nothing is posted in quiet hours but what has just fallen due';

const state = 'functions/core/sending/state.ts';
const backfill = 'functions/core/sending/backfill.ts';
const decide = 'functions/core/sending/claim/decide.ts';
const sendSlots = 'functions/core/automation/due/send-slots.ts';
const readPlan = 'functions/core/automation/due/read-plan.ts';
const occurrences = 'functions/core/automation/due/occurrences.ts';
const sendingHours = 'functions/core/organization/sending-hours.ts';

/** Faults in times of day, days off and quiet hours. */
export const TIMES: Planted[] = [
  {
    name: 'a late pack does not wait for the end of quiet hours',
    file: state,
    find: 'return end > now.getTime() ? new Date(end) : undefined;',
    replace: 'return end < 0 ? new Date(end) : undefined;',
    caughtBy: QUIET,
  },
  {
    name: 'a change of quiet hours forgets the earlier ones',
    file: sendingHours,
    find: 'hours: [...kept, { since, time_zone, quiet_hours }]',
    replace: 'hours: [...kept.slice(0, 0), { since, time_zone, quiet_hours }]',
    caughtBy: LOST,
  },
  {
    name: 'a change of quiet hours holds at once',
    file: sendingHours,
    find: '(Math.floor(now.getTime() / MINUTE) + 2) * MINUTE',
    replace: '(Math.floor(now.getTime() / MINUTE) - 2) * MINUTE',
    caughtBy: LOST,
  },
  {
    name: 'the members of one time zone are looked for at no time',
    file: readPlan,
    find: 'for (const zone of TIME_ZONES) add(zone);',
    replace: "for (const zone of TIME_ZONES) if (!zone.startsWith('America')) add(zone);",
    caughtBy: LOST,
  },
  {
    name: 'the end of quiet hours is looked for without the minutes that wait for it',
    file: readPlan,
    find: 'minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due)));',
    replace: 'if (at === due) minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due)));',
    caughtBy: LOST,
  },
  {
    name: 'the copies of what was held are looked for six hours after its date',
    file: readPlan,
    find: 'delay === 0 ? first.at : timing.laterThan(first, delay).at',
    replace:
      'delay === 0 ? first.at : timing.laterThan({ ...first, at: first.heldSince ?? first.at }, delay).at',
    caughtBy: LOST,
  },
  {
    name: 'the day of an email at a time of day is that in UTC',
    file: occurrences,
    find: 'const key = keyOf(automation.id, first.day, copy);',
    replace: 'const key = keyOf(automation.id, dayOf(first.at), copy);',
    caughtBy: ZONED,
  },
  {
    name: 'all that waits for the same minute goes',
    file: occurrences,
    find: 'new Map(all.map(one => [one.at.getTime(), one]))',
    replace: 'new Map(all.map(one => [one.key, one]))',
    caughtBy: ZONED,
  },
  {
    name: 'members with a time zone are found by that and without it',
    file: 'functions/core/sending/sweep/part.ts',
    find: 'if (zone === undefined && row.zone !== undefined && !isOfAllZones && isByZone(timed)) continue;',
    replace: '',
    caughtBy: 'a pack names nobody twice',
  },
  {
    name: 'the row of a member keeps the time zone that it had',
    file: 'functions/core/recipient/trigger.ts',
    find: 'rows.filter(row => !existing.some(isSameKey(row)))',
    replace: 'rows.filter(row => !existing.some(other => isSameKey(row)(other) || isOfSameDate(row, other)))',
    caughtBy: LOST,
  },
  {
    name: 'who has no time zone goes by UTC, not by that of the organization',
    file: sendSlots,
    find: "(time_zone_of !== 'organization' && list?.time_zone) || ofOrganization",
    replace: "(time_zone_of !== 'organization' && list?.time_zone) || UTC",
    caughtBy: ZONED,
  },
  {
    name: 'the time zone of a list is passed over',
    file: sendSlots,
    find: "(time_zone_of !== 'organization' && list?.time_zone) || ofOrganization",
    replace: 'ofOrganization',
    caughtBy: ZONED,
  },
  {
    name: 'a date without a time is an instant',
    file: sendSlots,
    find: 'isDate ? due / DAY : this.#dayOf(due, this.sendAt)',
    replace: 'this.#dayOf(due, this.sendAt)',
    caughtBy: ZONED,
  },
  {
    name: 'what falls on a day off goes on the next one, which may be off too',
    file: sendSlots,
    find: 'while (this.isOff(workday)) workday++;',
    replace: 'workday++;',
    caughtBy: ZONED,
  },
  {
    name: 'what was held until a day off goes on it',
    file: sendSlots,
    find: 'const isOff = this.hasDaysOff && this.isOff(dayOf(this.zone.localTime(end)));',
    replace: 'const isOff = false;',
    caughtBy: ZONED,
  },
  {
    name: 'a time of day that comes twice is taken the second time',
    file: sendSlots,
    find: 'for (const instant of [earliest, latest])',
    replace: 'for (const instant of [latest, earliest])',
    caughtBy: ZONED,
  },
  {
    name: 'a time of day that is left out goes as if the clocks had not been changed',
    file: sendSlots,
    find: 'return firstMinute(earliest, latest, instant => this.localTime(instant) >= wanted);',
    replace: 'return latest;',
    caughtBy: ZONED,
  },
  {
    name: 'clocks are changed as a day in UTC begins',
    file: sendSlots,
    find: 'before === after ? end : firstMinute(begin, end, instant => this.#read(instant) === after);',
    replace: 'before === after ? end : begin;',
    caughtBy: ZONED,
  },
  {
    name: 'who has just been stored is looked for without their time zone',
    file: backfill,
    find: 'ruleFor(state, list, automation, membership.metadata)',
    replace: 'ruleFor(state, list, automation, {})',
    caughtBy: BACKFILL,
  },
  {
    name: 'the dispatcher ignores who gets another time zone',
    file: backfill,
    find: 'timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)',
    replace: 'before.metadata === membership.metadata',
    caughtBy: BACKFILL,
  },
  {
    name: 'the sender decides without the time zone of the member',
    file: decide,
    find: 'ruleFor(context, pair.list, automation, membership.metadata)',
    replace: 'ruleFor(context, pair.list, automation, {})',
    caughtBy: ZONED,
  },
];
