import { expect, it } from 'vitest';
import { createTimekeeper } from '#local/timekeeper.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2030-01-01T00:00:00Z');

it('on a long way, schedules run in each minute of three hours and in the last one, and idle ones are skipped between', async () => {
  let time = START;
  const clock = {
    now: () => time,
    moveTo: (instant: number) => {
      time = instant;
    },
    save: () => {},
  };
  const minutes: { after: number; skip: string | undefined }[] = [];
  const keeper = createTimekeeper({
    clock,
    fire: async (minute, skip) => {
      minutes.push({ after: minute.getTime() - START, skip });
      return skip === 'nothing' ? 1 : 0;
    },
    drain: async () => {},
    failed: error => expect(error).toBeUndefined(),
  });
  const runs = await keeper.move(START + 30 * 24 * HOUR);
  keeper.close();
  expect(minutes.map(({ after }) => after)).toEqual(
    Array.from({ length: 30 * 24 * 60 }, (_, index) => (index + 1) * MINUTE),
  );
  const run = minutes.filter(({ skip }) => skip === 'nothing').map(({ after }) => after);
  expect(run).toEqual([...Array.from({ length: 180 }, (_, index) => (index + 1) * MINUTE), 30 * 24 * HOUR]);
  expect(runs).toBe(181);
  expect(time).toBe(START + 30 * 24 * HOUR);
});
