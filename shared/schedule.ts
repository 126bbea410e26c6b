import type { SendTimes } from './send-times.ts';

/** The occurrences that may send two or three emails. */
export const OCCURRENCES = ['first', 'second', 'third'] as const;
export type Occurrence = (typeof OCCURRENCES)[number];
export const ORDINALS: Record<Occurrence, string> = { first: '1st', second: '2nd', third: '3rd' };

export type MultipleSends = Record<`${'double' | 'triple'}_send_${Occurrence}`, boolean>;

/** When an automation sends to a member, in days after the trigger date. */
export type Schedule = {
  every_x_days: number;
  delay_days: number;
  /** Null if it never stops. */
  stop_after_days: number | null;
} & MultipleSends &
  Partial<SendTimes>;

/** Whether a schedule stops before it starts. */
export const neverSends = ({
  delay_days,
  stop_after_days,
}: Pick<Schedule, 'delay_days' | 'stop_after_days'>) =>
  stop_after_days !== null && stop_after_days < delay_days;
