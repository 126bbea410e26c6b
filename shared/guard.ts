import * as z from 'zod/mini';
import { PROVIDERS } from './providers.ts';
import { DAY, HOUR } from './time.ts';

/** What became of emails, by the hour in which they were sent (`2030-01-01T09`). */
export type HourCounts = { hour: string; sent: number; bounced: number; complained: number };

export const GUARDED = ['complained', 'bounced'] as const;
export type Guarded = (typeof GUARDED)[number];

/** Bounces are those for good. A window with fewer emails, or with fewer of these events, says nothing. */
export const GUARD_RULES = [
  { kind: 'complained', hours: 1, warn: 0.005, pause: 0.01, sent: 200, events: 5 },
  { kind: 'complained', hours: 24, warn: 0.0015, pause: 0.003, sent: 1_000, events: 10 },
  { kind: 'bounced', hours: 1, warn: 0.05, pause: 0.1, sent: 200, events: 20 },
  { kind: 'bounced', hours: 24, warn: 0.025, pause: 0.05, sent: 1_000, events: 50 },
] as const satisfies {
  kind: Guarded;
  hours: number;
  warn: number;
  pause: number;
  sent: number;
  events: number;
}[];
type Rule = (typeof GUARD_RULES)[number];

/** The percentages at which a day pauses. With lower ones of an organization, all rates of the kind are lower in proportion. */
export const PAUSE_AT_PERCENT = { complained: 0.3, bounced: 5 } as const satisfies Record<Guarded, number>;

/** A window of a day that has too few emails grows to this. */
export const LONGEST_WINDOW_HOURS = 7 * 24;

export const Finding = z.object({
  kind: z.enum(GUARDED),
  /** The window, in hours. */
  hours: z.int(),
  sent: z.int(),
  events: z.int(),
});
export type Finding = z.infer<typeof Finding>;

/** Why the guard has paused an automation, or warns of it. */
export const Paused = z.extend(Finding, {
  by: z.literal('guard'),
  at: z.iso.datetime(),
  provider: z.enum(PROVIDERS),
  /** The content that has most of the complaints, if one stands out. */
  combination_id: z.nullable(z.string()),
});
export type Paused = z.infer<typeof Paused>;

export const hourOf = (instant: string) => instant.slice(0, 'yyyy-mm-ddThh'.length);
const instantOf = (hour: string) => Date.parse(`${hour}:00:00.000Z`);

/** What is wrong with the emails of an automation; a reason to pause stands before a warning. */
export function findingIn(
  counts: HourCounts[],
  now: Date,
  pauseAt: Record<Guarded, number> = PAUSE_AT_PERCENT,
): { is: 'pause' | 'warn'; finding: Finding } | undefined {
  const windows = GUARD_RULES.flatMap(rule => windowsOf(rule, counts, now).map(window => ({ rule, window })));
  for (const is of ['pause', 'warn'] as const) {
    const found = windows.find(({ rule, window }) => {
      const events = window[rule.kind];
      const rate = (rule[is] * pauseAt[rule.kind]) / PAUSE_AT_PERCENT[rule.kind];
      // In binary, a third of 0.3% is a little more than 0.1%.
      const isReached = events / window.sent >= rate * (1 - 1e-12);
      return window.sent >= rule.sent && events >= rule.events && isReached;
    });
    if (found) {
      const { rule, window } = found;
      const { hours, sent } = window;
      return { is, finding: { kind: rule.kind, hours, sent, events: window[rule.kind] } };
    }
  }
  return undefined;
}

type Window = Omit<HourCounts, 'hour'> & { hours: number };

/** Each hour of the last day, as a bounce may come later; or the last day, and as many hours before as the volume needs. */
function windowsOf({ hours, sent: least }: Rule, counts: HourCounts[], now: Date): Window[] {
  const ageOf = ({ hour }: HourCounts) =>
    Math.floor((instantOf(hourOf(now.toISOString())) - instantOf(hour)) / HOUR);
  const newest = counts.toSorted((a, b) => (a.hour < b.hour ? 1 : -1));
  const ofDay = newest.filter(count => ageOf(count) < DAY / HOUR);
  if (hours === 1) return ofDay.map(({ hour: _, ...count }) => ({ ...count, hours: 1 }));
  const window: Window = { hours: DAY / HOUR, sent: 0, bounced: 0, complained: 0 };
  for (const count of newest) {
    const age = ageOf(count);
    if (age >= LONGEST_WINDOW_HOURS || (age >= DAY / HOUR && window.sent >= least)) break;
    window.hours = Math.max(window.hours, age + 1);
    for (const field of ['sent', 'bounced', 'complained'] as const) window[field] += count[field];
  }
  return [window];
}
