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
export const needsSendAt = ({ send_at, time_zone_of }: Partial<SendTimes>) =>
  time_zone_of === 'member' && !send_at;

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

export type Schedule = {
  every_x_days: number;
  delay_days: number;
  stop_after_days: number | null;
} & MultipleSends &
  Partial<SendTimes>;

export const neverSends = ({
  delay_days,
  stop_after_days,
}: Pick<Schedule, 'delay_days' | 'stop_after_days'>) =>
  stop_after_days !== null && stop_after_days < delay_days;
