import { expect, it } from 'vitest';
import { extent, PROVE } from '../support/prove.ts';
import { compareMany } from './agreement.ts';

// Some seeds that take little time.
const FROM = extent(11, 1);
const ORGANIZATIONS = extent(6, 400);

it('what a simulation and a forecast say of a day is what the log says after it, to the hour and the reason', {
  // Ends a comparison that hangs.
  timeout: extent(600_000, 7_200_000),
}, async () => {
  const { differing, seen, timed } = await compareMany(FROM, ORGANIZATIONS);
  expect(differing).toEqual([]);
  // Otherwise forecast and log might agree only because nothing happens. Some reasons are rare.
  const windows = ['24_hours', ...(PROVE ? ['5_minutes', '1_hour', '1_week'] : [])];
  const reasons = ['sent', ...(PROVE ? ['no_first', 'no_content', 'no_key'] : [])];
  const expected = [...reasons, ...windows.map(window => `capped:max_emails_${window}`)];
  expect(expected.filter(reason => (seen[reason] ?? 0) < 3)).toEqual([]);
  expect(seen.sent).toBeGreaterThan(extent(50, 100));
  expect(timed.sent).toBeGreaterThan(10);
});
