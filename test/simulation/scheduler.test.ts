import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Queue } from './queue.ts';
import { randomFrom } from './random.ts';
import { type Disruption, type Process, Scheduler } from './scheduler.ts';

const START = new Date('2030-01-01T00:00:00Z');
const newScheduler = (seed = 1, disruptionOf?: (process: Process, effect: string) => Disruption) =>
  new Scheduler({
    random: randomFrom(seed),
    start: START,
    traced: true,
    ...(disruptionOf && { disruptionOf }),
  });

/** Two processes append to the same text, one letter in each effect. */
async function race(seed: number) {
  const scheduler = newScheduler(seed);
  let text = '';
  const work = (letter: string) => async (process: Process) => {
    for (let i = 0; i < 8; i++) await scheduler.effect(process, letter, () => (text += letter));
    return [randomUUID(), randomInt(1000), randomBytes(4).toString('hex'), Math.random()];
  };
  const outcomes = [scheduler.start('a', work('a')), scheduler.start('b', work('b'))];
  await scheduler.run();
  return { text, outcomes: await Promise.all(outcomes), ...scheduler.trace };
}

describe('the scheduler', () => {
  it('decides by the seed what happens first, and what is random', async () => {
    expect(await race(1)).toEqual(await race(1));
    const texts = await Promise.all([1, 2, 3, 4, 5].map(async seed => (await race(seed)).text));
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it('lets timers wait in simulated time', async () => {
    const scheduler = newScheduler();
    const began = performance.now();
    scheduler.start('sleeper', async () => void (await setTimeout(3_600_000)));
    await scheduler.run();
    expect(scheduler.now()).toEqual(new Date('2030-01-01T01:00:00Z'));
    expect(performance.now() - began).toBeLessThan(3_600_000);
  });

  it.each([
    ['die-before', 0],
    ['die-after', 1],
  ] as const)('ends a process at an effect: %s', async (disruption, done) => {
    let effects = 0;
    let isContinued = false;
    const scheduler = newScheduler(1, () => disruption);
    const outcome = scheduler.start('mortal', async process => {
      try {
        await scheduler.effect(process, 'count', () => effects++);
      } finally {
        isContinued = true;
      }
    });
    await scheduler.run();
    expect(await outcome).toEqual({ state: 'died' });
    expect({ effects, isContinued }).toEqual({ effects: done, isContinued: false });
  });

  it('gives a stalled process its answer late, and kills it at its timeout', async () => {
    const scheduler = newScheduler(1, () => ({ stall: 60_000 }));
    const one = (process: Process) => scheduler.effect(process, 'one', () => 1);
    const patient = scheduler.start('patient', one);
    const limited = scheduler.start('limited', one, { timeout: 30_000 });
    await scheduler.run();
    expect(await patient).toEqual({ state: 'ended', value: 1 });
    expect(await limited).toEqual({ state: 'died' });
    expect(scheduler.now().getTime() - START.getTime()).toBeGreaterThan(60_000);
  });
});

describe('a queue', () => {
  const queues = (isDoubled = () => false) => {
    const scheduler = newScheduler();
    const dead = new Queue(scheduler, randomFrom(2), { name: 'dead', visibilityTimeout: 1_000 });
    const queue = new Queue(scheduler, randomFrom(3), {
      name: 'packs',
      visibilityTimeout: 60_000,
      maxReceiveCount: 3,
      deadLetters: dead,
      isDoubled,
    });
    return { scheduler, queue, dead, pass: (ms: number) => scheduler.run(scheduler.now().getTime() + ms) };
  };

  it('delivers again what is not deleted, and after three times to the dead letters', async () => {
    const { queue, dead, pass } = queues();
    queue.send('poison');
    for (let receives = 1; receives <= 3; receives++) {
      await pass(1_000);
      expect(queue.receive(10)).toMatchObject([{ body: 'poison', receiveCount: receives }]);
      expect(queue.receive(10)).toEqual([]);
      await pass(60_000);
    }
    expect(queue.receive(10)).toEqual([]);
    await pass(1_000);
    expect(dead.receive(10)).toMatchObject([{ body: 'poison' }]);
  });

  it('deletes each delivery of a message that it delivers twice', async () => {
    const { queue, pass } = queues(() => true);
    queue.send('one');
    await pass(1_000);
    const [first, second] = queue.receive(10);
    expect(second?.messageId).toBe(first?.messageId);
    queue.delete(first?.receiptHandle ?? '');
    expect(queue.size).toBe(1);
    queue.delete(second?.receiptHandle ?? '');
    expect(queue.size).toBe(0);
  });

  it('keeps a delayed message back', async () => {
    const { queue, pass } = queues();
    queue.send('later', 900_000);
    await pass(899_000);
    expect(queue.receive(1)).toEqual([]);
    await pass(2_000);
    expect(queue.receive(1)).toHaveLength(1);
    expect(() => queue.send('too late', 900_001)).toThrow('900');
  });
});
