import { describe, expect, it } from 'vitest';
import { createWindows } from '#local/sources/windows.ts';
import { proof } from '../support/proof.ts';
import { fixtureStack } from './fixture/stack.ts';

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const { now, moveTo, pass, items, put, drain, stack } = fixtureStack();

type Call = {
  names: string[];
  state: { seen?: string[] };
  window: { start: string; end: string };
  shardId: string;
  eventSourceARN: string;
  isFinalInvokeForWindow: boolean;
  isWindowTerminatedEarly: boolean;
};

async function callsSince(instant: number): Promise<Call[]> {
  const since = new Date(instant).toISOString();
  const noted = (await items('CENSUS')).filter(({ SK }) => String(SK) > since);
  return noted.map(({ call }) => JSON.parse(String(call)));
}

const ends = (calls: Call[]) => calls.filter(call => call.isFinalInvokeForWindow);
const record = (name: string, more: Record<string, string> = {}) => put({ PK: 'COUNTED', SK: name, ...more });

/** Moves the clock into a new window, past any that is open; answers when it began. */
async function freshWindow(): Promise<number> {
  const start = (Math.floor((await now()) / WINDOW) + 2) * WINDOW;
  // What was still open ends before it.
  await moveTo(start - MINUTE, true);
  await moveTo(start + MINUTE, true);
  return start;
}
const minutesInto = async (start: number, minutes: number) => moveTo(start + minutes * MINUTE);
const seconds = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');

describe('A stream with tumbling windows', () => {
  it('passes the shard, the window, and the state of the calls before it in the window', async () => {
    const start = await freshWindow();
    for (const name of ['a', 'b', 'c']) await record(name);
    await drain();
    const calls = await callsSince(start);
    expect(calls.flatMap(({ names }) => names)).toEqual(['a', 'b', 'c']);
    let seen: string[] = [];
    for (const call of calls) {
      expect(call).toMatchObject({
        shardId: expect.stringMatching(/^shardId-/),
        eventSourceARN: expect.stringContaining('/stream/'),
        window: { start: seconds(start), end: seconds(start + WINDOW) },
        isFinalInvokeForWindow: false,
        isWindowTerminatedEarly: false,
      });
      expect(call.names.length).toBeLessThanOrEqual(2);
      expect(call.state.seen ?? []).toEqual(seen);
      seen = [...seen, ...call.names];
    }
  });

  it('ends a window when it is over: once, with all that was counted in it, before the clock answers', async () => {
    const start = await freshWindow();
    await record('d');
    await record('e');
    await minutesInto(start, 14);
    expect(ends(await callsSince(start))).toEqual([]);
    await minutesInto(start, 15);
    const [end, ...more] = ends(await callsSince(start));
    expect(end).toMatchObject({
      names: [],
      state: { seen: ['d', 'e'] },
      window: { start: seconds(start), end: seconds(start + WINDOW) },
      isWindowTerminatedEarly: false,
    });
    expect(more).toEqual([]);
  });

  proof('begins the next window with nothing', async () => {
    const start = await freshWindow();
    await record('f');
    await minutesInto(start, 16);
    await record('g');
    await drain();
    const last = (await callsSince(start)).at(-1);
    expect(last).toMatchObject({ names: ['g'], window: { start: seconds(start + WINDOW) } });
    expect(last?.state.seen).toBeUndefined();
  });

  it('has a window end when it is over, and not a moment later', () => {
    const windows = createWindows(WINDOW / 1000, 'arn');
    const batch = { shard: 'one', changes: [], attempt: 1, window: WINDOW };
    windows.event(batch);
    windows.keep(batch, {});
    expect(windows.nextEnd()).toBe(2 * WINDOW);
    expect(windows.ends(2 * WINDOW - 1)).toEqual([]);
    expect(windows.ends(2 * WINDOW)).toMatchObject([{ shard: 'one', window: WINDOW, final: true }]);
  });

  it('never opens a window again that has ended, even for a change that seems to be older', () => {
    const windows = createWindows(WINDOW / 1000, 'arn');
    const change = { eventID: '1', dynamodb: { SequenceNumber: '1', ApproximateCreationDateTime: 10 } };
    const ended = { shard: 'one', changes: [], attempt: 1, window: 0, final: true };
    expect(windows.split('one', [change])).toEqual([{ window: 0, changes: [change] }]);
    windows.event({ ...ended, changes: [change], final: false });
    windows.keep(ended, {});
    expect(windows.split('one', [change])).toEqual([{ window: WINDOW, changes: [change] }]);
    expect(windows.split('other', [change])).toEqual([{ window: 0, changes: [change] }]);
  });

  proof('invokes nothing for a window without changes', async () => {
    const start = await freshWindow();
    await pass(3 * WINDOW);
    expect(await callsSince(start)).toEqual([]);
  });

  proof('ends every window that an outage has passed over', async () => {
    const start = await freshWindow();
    await record('h');
    await drain();
    await moveTo(start + 24 * 60 * MINUTE, true);
    expect(ends(await callsSince(start))).toHaveLength(1);
  });

  proof(
    'holds back the end of a window, and all of the next one, until a record that fails went through',
    async () => {
      const start = await freshWindow();
      await record('i', { refuse_until: new Date(start + 20 * MINUTE).toISOString() });
      await minutesInto(start, 16);
      await record('j');
      await minutesInto(start, 18);
      const before = await callsSince(start);
      expect(before.every(({ names }) => names[0] === 'i')).toBe(true);
      await minutesInto(start, 22);
      const after = (await callsSince(start)).slice(-3);
      expect(
        after.map(({ names, window, isFinalInvokeForWindow }) => [
          names,
          window.start,
          isFinalInvokeForWindow,
        ]),
      ).toEqual([
        [['i'], seconds(start), false],
        [[], seconds(start), true],
        [['j'], seconds(start + WINDOW), false],
      ]);
    },
  );

  proof('tries the end of a window again until it succeeds, before anything that comes later', async () => {
    const start = await freshWindow();
    await record('k', { refuse_end_until: new Date(start + 20 * MINUTE).toISOString() });
    await minutesInto(start, 16);
    await record('l');
    await drain();
    expect((await callsSince(start)).flatMap(({ names }) => names)).not.toContain('l');
    await minutesInto(start, 22);
    const calls = await callsSince(start);
    expect(ends(calls).length).toBeGreaterThan(1);
    expect(calls.at(-2)).toMatchObject({ isFinalInvokeForWindow: true, state: { seen: ['k'] } });
    expect(calls.at(-1)).toMatchObject({ names: ['l'], isFinalInvokeForWindow: false });
  });

  proof('takes an answer without a state for a failure, and says so', async () => {
    const start = await freshWindow();
    await record('m', { mute_until: new Date(start + 4 * MINUTE).toISOString() });
    await drain();
    expect(stack().logs().join('\n')).toContain(
      'fixture/census.ts answered no state, which is a failure where its stream has windows',
    );
    await minutesInto(start, 15);
    const calls = await callsSince(start);
    expect(calls.filter(({ names }) => names.includes('m')).length).toBeGreaterThan(1);
    expect(ends(calls)).toMatchObject([{ state: { seen: ['m'] } }]);
  });
});
