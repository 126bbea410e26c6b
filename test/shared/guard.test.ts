import { expect, it } from 'vitest';
import { findingIn, GUARD_RULES, type HourCounts } from '#shared/guard.ts';
import { HOUR } from '#shared/time.ts';

const now = new Date('2030-01-08T09:30:00Z');
/** Counts of so many hours ago. */
const ago = (hours: number, counts: Partial<HourCounts>): HourCounts => ({
  hour: new Date(now.getTime() - hours * HOUR).toISOString().slice(0, 13),
  sent: 0,
  bounced: 0,
  complained: 0,
  ...counts,
});

it.each(GUARD_RULES.map(rule => [`${rule.kind} within ${rule.hours} hours`, rule] as const))(
  'of emails that %s, the guard warns and pauses at its shares, and says nothing below its volume',
  (_, { kind, hours, warn, pause, sent, events }) => {
    // With too few for the rule of a day, or so many that no lower bound matters.
    const volume = hours === 1 ? 900 : 100_000;
    const found = (count: number, of = volume) => {
      const result = findingIn([ago(hours === 1 ? 3 : 0, { sent: of, [kind]: count })], now);
      return result?.finding.hours === hours ? result.is : undefined;
    };
    const [toPause, toWarn] = [Math.ceil(volume * pause), Math.ceil(volume * warn)];
    expect([toPause, toPause - 1, toWarn, toWarn - 1].map(count => found(count))).toEqual([
      'pause',
      'warn',
      'warn',
      undefined,
    ]);
    expect(found(events - 1, sent)).toBeUndefined();
    expect(found(sent - 1, sent - 1)).toBeUndefined();
  },
);

it('a window of a day grows for a small sender until it has the volume, to a week at most', () => {
  const daily = (days: number, bounced: number) =>
    Array.from({ length: days }, (_, day) => ago(day * 24, { sent: 180, bounced }));
  expect(findingIn(daily(5, 9), now)).toBeUndefined();
  expect(findingIn(daily(7, 9), now)).toEqual({
    is: 'pause',
    finding: { kind: 'bounced', hours: 5 * 24 + 1, sent: 1080, events: 54 },
  });
  expect(
    findingIn([ago(0, { sent: 100, bounced: 20 }), ago(7 * 24, { sent: 900, bounced: 90 })], now),
  ).toBeUndefined();
});

it('what was sent before a day counts no more where a day has the volume', () => {
  for (const hours of [24, 25])
    expect(
      findingIn([ago(1, { sent: 1000 }), ago(hours, { sent: 5000, complained: 500 })], now),
    ).toBeUndefined();
});

it('all hours of a day count, also where the last one alone has the volume', () => {
  const counts = [0, 5, 23].map(hours => ago(hours, { sent: 1000, complained: 4 }));
  expect(findingIn(counts, now)).toEqual({
    is: 'pause',
    finding: { kind: 'complained', hours: 24, sent: 3000, events: 12 },
  });
});

it('a percentage of an owner counts exactly: at 0.1% of a day, an hour warns of 5 complaints about 3,000 emails', () => {
  const found = (sent: number) =>
    findingIn([ago(0, { sent, complained: 5 })], now, { complained: 0.1, bounced: 5 })?.is;
  expect([found(3_000), found(3_001)]).toEqual(['warn', undefined]);
});

it('an hour counts for a day, as bounces come later', () => {
  const bad = { sent: 200, bounced: 20 };
  expect(findingIn([ago(23, bad)], now)?.finding).toMatchObject({ hours: 1, events: 20 });
  expect(findingIn([ago(24, bad)], now)).toBeUndefined();
});
