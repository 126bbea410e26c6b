import { copyDelays, type Interval, shiftOf } from '#core/automation/due/occurrences.ts';
import { readsIn, type Timed } from '#core/automation/due/read-plan.ts';
import { rangeOfDays, rangeOfMinutes, type TriggerRange } from '#core/recipient/trigger.ts';
import type { Schedule } from '#shared/schedule.ts';
import { DAY, HOUR, MINUTE, MINUTES_OF_DAY, minuteOfDay } from '#shared/time.ts';

/** `isWhole`: they cover all rows of their minutes. */
export type Ranges = { ranges: TriggerRange[]; isWhole: boolean };

export type Query = Ranges & {
  /** The queries of a column are in the order of their names. */
  name: string;
  automations: Timed[];
  /** The part of the span that it reads; undefined if all of it. */
  span?: Interval;
  /** How long before the span the dates are; undefined if a time of day, a day off or quiet hours decide too. */
  delay?: number;
  /** Set if it reads only the members in this time zone. */
  zone?: string;
  /** It also reads the members with a time zone, who then have no queries of their own. */
  isOfAllZones?: boolean;
};

/** Whether a time of day, a day off or quiet hours decide when emails go. */
export const isTimed = ({ rules }: Timed) => rules(undefined).timing !== undefined;

/** Whether the members with a time zone are read by queries of their time zones. */
export const isByZone = ({ automation, rules }: Timed) =>
  automation.time_zone_of === 'member' && rules(undefined).timing?.sendAt !== undefined;

export function queriesOf(all: Timed[], span: Interval): Query[] {
  const [timed, plain] = [all.filter(isTimed), all.filter(automation => !isTimed(automation))];
  return [...queriesByMinute(plain, span), ...queriesByTime(timed, span)];
}

/**
 * Members are due so many minutes after the minute of their dates; for copies, the rows of six and twelve hours earlier are
 * read too.
 */
function queriesByMinute(automations: Timed[], span: Interval): Query[] {
  const byDelay = new Map<number, Timed[]>();
  for (const timed of automations) {
    for (const copy of copyDelays(timed.automation)) {
      const delay = shiftOf(timed.automation) + copy;
      byDelay.set(delay, [...(byDelay.get(delay) ?? []), timed]);
    }
  }
  return [...byDelay]
    .sort(([a], [b]) => a - b)
    .flatMap(([delay, due]) =>
      spansOfDay(span, delay).map(({ from, until }, nth) => ({
        ...rangesDue(
          due.map(({ automation }) => automation),
          new Date(from.getTime() - delay),
          (until.getTime() - from.getTime()) / MINUTE,
        ),
        name: `+${clockText(delay)}${nth > 0 ? '-next' : ''}`,
        automations: due,
        span: { from, until },
        delay,
      })),
    );
}

/** The dates of a span may be of two days: their minutes are two ranges. */
function spansOfDay({ from, until }: Interval, delay: number): Interval[] {
  const midnight = new Date((Math.floor((from.getTime() - delay) / DAY) + 1) * DAY + delay);
  return midnight < until
    ? [
        { from, until: midnight },
        { from: midnight, until },
      ]
    : [{ from, until }];
}

/** 06 for six hours, 0630 for half an hour more. */
function clockText(delay: number): string {
  const [hours, minutes] = [Math.floor(delay / HOUR), (delay % HOUR) / MINUTE];
  return [hours, ...(minutes > 0 ? [minutes] : [])].map(part => String(part).padStart(2, '0')).join('');
}

function queriesByTime(automations: Timed[], { from, until }: Interval): Query[] {
  const minutes = new Array<boolean>(MINUTES_OF_DAY).fill(false);
  const zones = new Map<string, Set<Timed>>();
  for (const timed of automations) {
    for (let minute = from.getTime(); minute < until.getTime(); minute += MINUTE) {
      const reads = readsIn(timed, minute);
      if (reads?.minutes === 'all') minutes.fill(true);
      else for (const read of reads?.minutes ?? []) minutes[read] = true;
      for (const zone of reads?.zones ?? []) zones.set(zone, (zones.get(zone) ?? new Set()).add(timed));
    }
  }
  // At the end of quiet hours, what is due in most time zones may have waited: then all rows are one query.
  const isMany = zones.size > MOST_ZONES;
  const ranges = rangesOf(isMany ? minutes.fill(true) : minutes);
  const all = { ranges: [rangeOfMinutes(0, MINUTES_OF_DAY)], isWhole: true };
  return [
    ...(ranges.length > 0 ? [{ name: '@', automations, ranges, isWhole: true, isOfAllZones: isMany }] : []),
    ...(isMany ? [] : [...zones.keys()].sort()).map(zone => ({
      ...all,
      name: `@${zone}`,
      automations: [...(zones.get(zone) ?? [])],
      zone,
    })),
  ];
}

// More time zones than share a time of day.
const MOST_ZONES = 100;

function rangesOf(minutes: boolean[]): Ranges['ranges'] {
  const ranges: Ranges['ranges'] = [];
  for (let from = minutes.indexOf(true); from >= 0; ) {
    const end = minutes.indexOf(false, from);
    const until = end < 0 ? MINUTES_OF_DAY : end;
    ranges.push(rangeOfMinutes(from, until));
    from = minutes.indexOf(true, until);
  }
  return ranges;
}

type Days = Pick<Schedule, 'repeat' | 'delay_days' | 'every_x_days'>;

/** If it is one minute and the automations send once or seldom, only the rows of some days. */
export function rangesDue(sending: Days[], from: Date, length: number): Ranges {
  const minute = minuteOfDay(from.getTime());
  const found = length === 1 ? daysDue(sending, from) : undefined;
  if (!found) return { ranges: [rangeOfMinutes(minute, minute + length)], isWhole: true };
  const { days, until } = found;
  const older = until === undefined ? [] : [rangeOfDays(minute, { until })];
  const ranges = [...older, ...days.sort().map(day => rangeOfDays(minute, { day }))];
  return { ranges, isWhole: false };
}

/** From this many days between two emails on, each day that may be due is read by itself. */
const SELDOM = 28;
const MOST_DAYS = 16;

const isOnce = ({ repeat }: Days) => repeat === 'once';

/** The newest trigger days that are due in a minute, and the day up to which all rows are read. */
function daysDue(sending: Days[], at: Date): { days: string[]; until: string | undefined } | undefined {
  // The anniversaries of a birthday are more days than are read by themselves.
  const isOften = ({ repeat, every_x_days }: Days) => repeat === 'yearly' || every_x_days < SELDOM;
  const [once, others] = [sending.filter(isOnce), sending.filter(automation => !isOnce(automation))];
  if (others.some(isOften)) return undefined;
  const daysOnce = [...new Set(once.map(({ delay_days }) => delay_days))];
  const each = Math.floor((MOST_DAYS - daysOnce.length) / Math.max(1, others.length));
  if (each < (others.length > 0 ? 2 : 0)) return undefined;
  const dayBefore = (days: number) => new Date(at.getTime() - days * DAY).toISOString().slice(0, 10);
  const days = others.flatMap(({ delay_days, every_x_days }) =>
    Array.from({ length: each }, (_, k) => delay_days + k * every_x_days),
  );
  // Only back to this day the list has the days of all automations. Older rows are read as a whole.
  const oldest = Math.min(...others.map(({ delay_days, every_x_days }) => delay_days + each * every_x_days));
  const read = [...new Set([...daysOnce, ...days])].filter(day => day < oldest);
  return { days: read.map(dayBefore), until: others.length > 0 ? dayBefore(oldest) : undefined };
}
