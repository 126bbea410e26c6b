/** The occurrences that may send two or three emails. */
export const OCCURRENCES = ['first', 'second', 'third'] as const;
export type Occurrence = (typeof OCCURRENCES)[number];
export const ORDINALS: Record<Occurrence, string> = { first: '1st', second: '2nd', third: '3rd' };

export type MultipleSends = Record<`${'double' | 'triple'}_send_${Occurrence}`, boolean>;

/** In the order in which JavaScript numbers them. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** If a member or a list has none, the next one is used: that of the list, then of the organization. */
export const ZONES_OF = ['organization', 'list', 'member'] as const;
export type ZoneOf = (typeof ZONES_OF)[number];

export const MOST_DATES_OFF = 100;

export const NEEDS_SEND_AT =
  'Only a fixed time of day can be that of each member: choose one, or another time zone';

/** An email at the time of the trigger date is due everywhere at once, so the member's time zone has no effect. */
const needsSendAt = ({ send_at, time_zone_of }: Partial<SendTimes>) => time_zone_of === 'member' && !send_at;

/** At which time of day, and on which days, an automation sends; `send-times.ts` has the schema, which loads zod. */
export type SendTimes = {
  /** Null if emails are sent at the time of the trigger date. */
  send_at: string | null;
  time_zone_of: ZoneOf;
  /** Emails that fall due on these days are sent on the next other day. */
  days_off: Weekday[];
  dates_off: string[];
};

/** The settings with which emails are sent at the time of the trigger date, every day. */
export const ANY_TIME: SendTimes = {
  send_at: null,
  time_zone_of: 'organization',
  days_off: [],
  dates_off: [],
};

/** How often a member gets an email. Of `once` and `yearly`, `every_x_days` and `stop_after_days` have no effect. */
export const REPEATS = ['days', 'once', 'yearly'] as const;
export type Repeat = (typeof REPEATS)[number];

/** How many days before an anniversary a yearly email may go, and how many after it. */
export const MOST_BEFORE = 30;
export const MOST_AFTER = 365;

export type Schedule = {
  /** Undefined is `days`. */
  repeat?: Repeat;
  every_x_days: number;
  delay_days: number;
  stop_after_days: number | null;
  /** Minutes that are added to the days of the delay; undefined is 0. */
  delay_minutes?: number;
} & MultipleSends &
  Partial<SendTimes>;

export const ONCE_PER_DATE =
  'Once per date: a date on another day starts it anew, and what still waits by the old one is dropped.';

/** The settings of a schedule that existed before these fields did. */
export const PLAIN = { repeat: 'days', delay_minutes: 0 } as const satisfies Partial<Schedule>;

export const neverSends = ({
  repeat = 'days',
  delay_days,
  stop_after_days,
}: Pick<Schedule, 'repeat' | 'delay_days' | 'stop_after_days'>) =>
  repeat === 'days' && stop_after_days !== null && stop_after_days < delay_days;

/** What of a schedule does not go together, by field. */
export function scheduleFaults(
  schedule: Pick<Schedule, 'repeat' | 'delay_days' | 'delay_minutes'> & Partial<SendTimes>,
): [field: string, text: string][] {
  const { repeat, delay_days, delay_minutes = 0, send_at } = schedule;
  const isYearly = repeat === 'yearly';
  const faults: [isWrong: boolean, field: string, text: string][] = [
    [!isYearly && delay_days < 0, 'delay_days', NEGATIVE],
    [isYearly && delay_days > MOST_AFTER, 'delay_days', `Value must be at most ${MOST_AFTER}`],
    [Boolean(send_at) && delay_minutes > 0, 'delay_minutes', NO_MINUTES],
    [needsSendAt(schedule), 'time_zone_of', NEEDS_SEND_AT],
  ];
  return faults.flatMap(([isWrong, field, text]) => (isWrong ? [[field, text]] : []));
}

export const NEGATIVE = 'Value cannot be negative';
const NO_MINUTES = 'An email with a time of day goes at that time: leave the hours and minutes at 0';
