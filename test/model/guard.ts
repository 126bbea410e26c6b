/** The rule of the guard a second time, by the table in docs/sending.md alone and in whole numbers, and random hours to try it on. */
import { isDeepStrictEqual } from 'node:util';
import { findingIn } from '#shared/guard.ts';
import { HOUR } from '#shared/time.ts';
import { randomFrom } from '#test/simulation/random.ts';
import { inOrder } from './clocks.ts';

/** What became of the emails of an hour; `age`: so many hours before the present one, which has 0. */
type Hour = { age: number; sent: number; bounced: number; complained: number };
type What = 'bounced' | 'complained';

// Shares are in thousandths of a percent.
const RULES = [
  { what: 'complained', hours: 1, warn: 500, pause: 1_000, sent: 200, events: 5 },
  { what: 'complained', hours: 24, warn: 150, pause: 300, sent: 1_000, events: 10 },
  { what: 'bounced', hours: 1, warn: 5_000, pause: 10_000, sent: 200, events: 20 },
  { what: 'bounced', hours: 24, warn: 2_500, pause: 5_000, sent: 1_000, events: 50 },
] as const;
const MOST = { complained: 300, bounced: 5_000 };

const sumOf = (counts: Hour[], what: What | 'sent', first: number, last: number) =>
  counts.filter(({ age }) => age >= first && age <= last).reduce((sum, hour) => sum + hour[what], 0);

/** What reaches a threshold. `pauseAt`: at which share of a day it pauses; smaller ones make all rules of the kind stricter. */
function findingsIn(counts: Hour[], pauseAt: Record<What, number>) {
  return RULES.flatMap(rule => {
    const { what, hours } = rule;
    const ofDay = Array.from({ length: 24 }, (_, age) => ({ first: age, last: age }));
    // A day, or as many hours more as it takes to have so many emails: at most seven days.
    const lasts = inOrder([23, ...counts.map(({ age }) => age).filter(age => age >= 24 && age < 7 * 24)]);
    const last = lasts.find(last => sumOf(counts, 'sent', 0, last) >= rule.sent) ?? 23;
    return (hours === 1 ? ofDay : [{ first: 0, last }]).flatMap(({ first, last }) => {
      const [sent, events] = [sumOf(counts, 'sent', first, last), sumOf(counts, what, first, last)];
      const reaches = (share: number) => events * 100_000 * MOST[what] >= sent * share * pauseAt[what];
      if (sent < rule.sent || events < rule.events || !reaches(rule.warn)) return [];
      const is = reaches(rule.pause) ? ('pause' as const) : ('warn' as const);
      return [{ is, finding: { kind: what, hours: last - first + 1, sent, events } }];
    });
  });
}

/** Random hours for which the guard finds something else than the rule does. A reason to pause goes before a warning. */
export function differencesOfGuard(from: number, count: number) {
  const results = new Map<string, number>();
  const different: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const { counts, pauseAt, now } = hoursFrom(seed);
    const all = findingsIn(counts, pauseAt);
    const worst = all.filter(({ is }) => is === 'pause' || all.every(one => one.is === 'warn'));
    const hours = counts.map(({ age, ...hour }) => ({ ...hour, hour: hourBefore(now, age) }));
    const percent = { complained: pauseAt.complained / 1_000, bounced: pauseAt.bounced / 1_000 };
    const found = findingIn(hours, now, percent);
    const isSame = found ? worst.some(one => isDeepStrictEqual(one, found)) : worst.length === 0;
    if (!isSame) different.push(`Hours ${seed}: ${JSON.stringify({ counts, pauseAt, found, worst })}`);
    const result = found
      ? `${found.is} ${found.finding.kind} ${Math.min(25, found.finding.hours)}`
      : 'nothing';
    results.set(result, (results.get(result) ?? 0) + 1);
  }
  return { results, different };
}

const hourBefore = (now: Date, age: number) =>
  new Date(now.getTime() - age * HOUR).toISOString().slice(0, 13);

/** Volumes and shares at the limits of a rule, or one beside them. */
function hoursFrom(seed: number) {
  const { between, chance, pick, shuffle } = randomFrom(seed);
  const pauseAt = {
    complained: pick([300, 300, 200, 100, between(1, 300)]),
    bounced: pick([5_000, 5_000, 3_000, 700, between(1, 5_000)]),
  };
  const rule = pick(RULES);
  const { what, hours } = rule;
  const volume = Math.max(1, rule.sent * pick([1, 1, 1, 2, 3, 15]) + pick([0, 0, 1, -1]));
  const limit = (volume * pick([rule.warn, rule.pause]) * pauseAt[what]) / (100_000 * MOST[what]);
  const events = pick([rule.events, Math.ceil(limit), Math.ceil(limit)]) + pick([0, 0, 1, -1]);
  const ages = [...new Set([0, 23, 24, 167, 168, between(0, 23), between(24, 170)])];
  const kept = shuffle(ages).slice(0, hours === 1 ? 1 : between(1, 5));
  const counts = kept.map((age): Hour => ({ age, sent: 0, bounced: 0, complained: 0 }));
  const some = () => pick(counts);
  for (let left = volume; left > 0; ) {
    const sent = Math.min(left, between(1, volume));
    some().sent += sent;
    left -= sent;
  }
  for (let left = Math.max(0, events); left > 0; left--) some()[what] += 1;
  if (chance(0.2)) some().bounced += between(0, 60);
  const now = new Date(Date.UTC(2026, 5, 10, between(0, 23), pick([0, 30, 59])));
  return { counts, pauseAt, now };
}
