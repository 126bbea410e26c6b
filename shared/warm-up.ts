import { DAY, startOfDay } from './time.ts';

/** How many emails a list in warm-up sends on its first day, its second one, and so on. After the last one it has no limit. */
export const WARM_UP_STEPS = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

/** What a list in warm-up has sent on the last UTC day of its use. What is being sent counts. */
export type WarmUp = {
  /** When it began: it differs each time. */
  since: string;
  steps: number[];
  step: number;
  day: string;
  sent: number;
  /** When something was last added to `sent`. */
  sent_at?: string;
  /** The guard has found too many bounces or complaints. */
  is_held?: true;
};

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

export const beginWarmUp = (now: Date, steps = WARM_UP_STEPS): WarmUp => ({
  since: now.toISOString(),
  steps,
  step: 0,
  day: dayOf(now),
  sent: 0,
});

export const allowanceOf = ({ steps, step }: WarmUp): number => steps[step] ?? 0;

export const leftOf = (warmUp: WarmUp): number => Math.max(0, allowanceOf(warmUp) - warmUp.sent);

/** A day on which a list sent less says nothing about the next step. */
const USED = 0.5;

/** As it is now; undefined once it is over. A clock that is behind does not bring a day back. */
export function warmUpAt(warmUp: WarmUp | undefined, now: Date): WarmUp | undefined {
  const day = dayOf(now);
  if (!warmUp || day <= warmUp.day) return warmUp;
  const { since, steps, sent, is_held } = warmUp;
  const isRaised = !is_held && sent >= USED * allowanceOf(warmUp);
  const step = warmUp.step + Number(isRaised);
  return step < steps.length ? { since, steps, step, day, sent: 0 } : undefined;
}

export const nextDay = (now: Date) => new Date(startOfDay(now.getTime()) + DAY);
