import { expect, it } from 'vitest';
import { extent } from '../support/prove.ts';
import { compareMany } from './agreement.ts';

const ORGANIZATIONS = extent(30, 400);

it('what a simulation and a forecast say of a day is what the log says after it, to the hour and the reason', async () => {
  const { differing, seen, timed } = await compareMany(ORGANIZATIONS);
  expect(differing).toEqual([]);
  // Otherwise forecast and log might agree only because nothing happens.
  const reasons = ['sent', 'no_first', 'no_content', 'no_key'];
  const windows = ['5_minutes', '1_hour', '24_hours', '1_week'].map(window => `capped:max_emails_${window}`);
  expect([...reasons, ...windows].filter(reason => (seen[reason] ?? 0) < 3)).toEqual([]);
  expect(seen.sent).toBeGreaterThan(500);
  expect(timed.sent).toBeGreaterThan(150);
});
