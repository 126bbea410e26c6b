import { describe, expect, it } from 'vitest';
import { EventRow, instantIn } from '#shared/event.ts';

describe('The instant of an event', () => {
  it.each([
    ['2030-01-31T12:00:00Z', '.000Z'],
    ['2030-01-31T12:00:00.5Z', '.500Z'],
    ['2030-01-31T12:00:00.25Z', '.250Z'],
    ['2030-01-31T12:00:00.025Z', '.025Z'],
    ['2030-01-31T12:00:00.123456Z', '.123Z'],
    ['2030-01-31T12:00:00,5Z', '.500Z'],
    ['2030-01-31 14:00:00.5+02:00', '.500Z'],
    ['2030-01-31T12:00', '.000Z'],
  ])('%s has milliseconds %s', (text, milliseconds) => {
    expect(instantIn(text)?.toISOString()).toBe(`2030-01-31T12:00:00${milliseconds}`);
  });

  it.each(['2030-01-31', '2030-02-31T12:00:00Z', '2030-01-31T12:00:00.Z', 'now', 1_896_091_200_000])(
    'is not %s',
    at => {
      const { error } = EventRow.safeParse({ event: 'ordered', email: 'ann@example.com', at });
      expect(error?.issues).toEqual([
        expect.objectContaining({ path: ['at'], message: expect.stringContaining('a date with a time') }),
      ]);
    },
  );
});
