import { expect, it } from 'vitest';
import { compare } from './agreement.ts';

const ORGANIZATIONS = 200;

it('what a simulation and a forecast say of a day is what the log says after it, to the hour and the reason', {
  timeout: 300_000,
}, async () => {
  const seen: Record<string, number> = {};
  const timed: Record<string, number> = {};
  for (let seed = 1, compared = 0; compared < ORGANIZATIONS; seed++) {
    for (const { isTimed, said, logged, wrong } of await compare(seed)) {
      expect({ seed, said, wrong }).toEqual({ seed, said: logged, wrong: [] });
      compared++;
      for (const [name, number] of Object.entries(logged)) {
        const reason = name.slice(name.lastIndexOf(' ') + 1);
        seen[reason] = (seen[reason] ?? 0) + number;
        if (isTimed) timed[reason] = (timed[reason] ?? 0) + number;
      }
    }
  }
  // Otherwise the two might agree because nothing happens.
  const reasons = ['sent', 'no_first', 'no_content', 'no_key'];
  const windows = ['5_minutes', '1_hour', '24_hours', '1_week'].map(window => `capped:max_emails_${window}`);
  expect([...reasons, ...windows].filter(reason => (seen[reason] ?? 0) < 5)).toEqual([]);
  expect(seen.sent).toBeGreaterThan(1_000);
  expect(timed.sent).toBeGreaterThan(300);
});
