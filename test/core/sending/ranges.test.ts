import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { timedIn } from '#core/automation/due/read-plan.ts';
import { queriesOf, rangesDue } from '#core/sending/sweep/queries.ts';
import { unstored } from '#test/support/unstored.ts';

const DAY = 24 * 60 * 60 * 1000;
const from = new Date('2030-03-01T09:30:00Z');

const seldom = fc.record({
  repeat: fc.constantFrom('days', 'once'),
  delay_days: fc.integer({ min: 0, max: 400 }),
  every_x_days: fc.integer({ min: 28, max: 400 }),
});

it('of automations that send once or seldom, the rows of each day that may be due are read', () => {
  fc.assert(
    fc.property(fc.array(seldom, { minLength: 1, maxLength: 18 }), fc.nat(40), (automations, k) => {
      const { ranges } = rangesDue(automations as StoredAutomation[], from, 1);
      for (const { repeat, delay_days, every_x_days } of automations) {
        const after = repeat === 'once' ? 0 : k * every_x_days;
        const day = new Date(from.getTime() - (delay_days + after) * DAY).toISOString().slice(0, 10);
        const row = `0570#${day}#hash`;
        expect(ranges.some(range => range.from <= row && row <= range.until)).toBe(true);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

it('of an automation that sends once, the rows of one day are read', () => {
  const once = { repeat: 'once', delay_days: 3, every_x_days: 1 };
  const { ranges, isWhole } = rangesDue([once, once] as StoredAutomation[], from, 1);
  expect({ ranges, isWhole }).toEqual({
    ranges: [{ from: '0570#2030-02-26', until: '0570#2030-02-26#~' }],
    isWhole: false,
  });
  for (const other of [
    { ...once, repeat: 'yearly', every_x_days: 400 },
    { ...once, repeat: 'days' },
  ]) {
    expect(rangesDue([once, other] as StoredAutomation[], from, 1).isWhole).toBe(true);
  }
});

it('of automations that send seldom, the rows of other days of the last months are not read', () => {
  const { ranges, isWhole } = rangesDue([{ delay_days: 0, every_x_days: 30 }] as StoredAutomation[], from, 1);
  expect(isWhole).toBe(false);
  expect(
    ranges.some(range => range.from <= '0570#2030-02-28#hash' && '0570#2030-02-28#hash' <= range.until),
  ).toBe(false);
});

it('of a span whose dates, by the minutes of a delay, are of two days, the rows of both are read', () => {
  const automation = unstored(1, { delay_minutes: 30 });
  const timed = timedIn(automation, { organization: undefined, list: undefined });
  const span = { from: new Date('2030-03-01T00:20:00Z'), until: new Date('2030-03-01T00:40:00Z') };
  expect(queriesOf([timed], span).map(({ ranges }) => ranges)).toEqual([
    [{ from: '1430', until: '1440' }],
    [{ from: '0000', until: '0010' }],
  ]);
});
