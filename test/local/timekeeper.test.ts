import { expect, it } from 'vitest';
import { createTimekeeper } from '#local/timekeeper.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2030-01-01T00:00:00Z');

/** With what the minutes were fired, and how each was finished before the next. */
function newKeeper() {
  let time = START;
  let left = 0;
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
      expect(left).toBe(0);
      left += 1;
      minutes.push({ after: minute.getTime() - START, skip });
      return skip === 'nothing' ? 1 : 0;
    },
    drain: async () => {
      left = 0;
    },
    failed: error => expect(error).toBeUndefined(),
  });
  return { clock, keeper, minutes, left: () => left };
}

it('on a long way, schedules run in each minute of three hours and in the last one, and idle ones are skipped between; each minute is finished before the next', async () => {
  const { clock, keeper, minutes, left } = newKeeper();
  const runs = await keeper.move(START + 30 * 24 * HOUR);
  keeper.close();
  expect(minutes.map(({ after }) => after)).toEqual(
    Array.from({ length: 30 * 24 * 60 }, (_, index) => (index + 1) * MINUTE),
  );
  const run = minutes.filter(({ skip }) => skip === 'nothing').map(({ after }) => after);
  expect(run).toEqual([...Array.from({ length: 180 }, (_, index) => (index + 1) * MINUTE), 30 * 24 * HOUR]);
  expect([runs, left()]).toEqual([181, 0]);
  expect(clock.now()).toBe(START + 30 * 24 * HOUR);
});

it('a history begins with a run of every schedule, as those before may have found nothing yet', async () => {
  const { keeper, minutes } = newKeeper();
  await keeper.move(START + MINUTE);
  await keeper.play(START + 4 * MINUTE);
  await keeper.play(START + 5 * MINUTE);
  keeper.close();
  expect(minutes.map(({ skip }) => skip)).toEqual([
    'nothing',
    'nothing',
    'unplanned',
    'unplanned',
    'unplanned',
  ]);
});
