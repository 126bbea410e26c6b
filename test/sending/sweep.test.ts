import type { Context, EventBridgeEvent, ScheduledEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freshTable } from '../support/engine.ts';
import { forgetShard, stateOf, sweptBefore } from '../support/shard.ts';
import { listId, putItems, putOrganization, rowsAt } from '../support/sweeping.ts';

const table = freshTable();
const noon = new Date('2026-03-01T12:00:00Z');
const packs: { organization: number }[] = [];
const events: [type: string, details: object[]][] = [];
const lines: [message: string, extra: object][] = [];

beforeEach(async () => {
  for (const shard of [0, 1]) {
    await forgetShard(table, shard);
    await sweptBefore(table, noon, shard);
  }
  for (const id of [7, 1_007]) {
    await putOrganization(table, { id });
    await putItems(table, rowsAt(listId(id), '', noon, 1));
  }
  for (const all of [packs, events, lines]) all.splice(0);
});
afterEach(() => vi.doUnmock('../../functions/platform/runtime.ts'));

async function invoke(event: ScheduledEvent | ShardEvent, left = 60_000) {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  vi.doMock('#functions/platform/runtime.ts', async original => ({
    ...(await original<object>()),
    now: () => new Date('2026-03-01T12:01:05Z'),
  }));
  vi.doMock('#functions/platform/queue.ts', () => ({
    queuePacks: async (some: typeof packs) => void packs.push(...some),
  }));
  vi.doMock('#functions/platform/bus.ts', () => ({
    bus: { put: async (type: string, details: object[]) => void events.push([type, details]) },
  }));
  vi.doMock('#functions/platform/log.ts', async original => ({
    ...(await original<object>()),
    log: { info: (message: string, extra: object) => lines.push([message, extra]) },
  }));
  const { handler } = await import('#functions/sending/sweep.ts');
  return handler(event, { getRemainingTimeInMillis: () => left } as Context);
}
type ShardEvent = EventBridgeEvent<'sweep.shard', { shard: number }>;
const eventOf = (detail: object) => ({ 'detail-type': 'sweep.shard', detail }) as ShardEvent;

it('the schedule has the first shard swept, and puts an event for each other one', async () => {
  // Of the others it knows nothing: a clock may skip no minute.
  expect(await invoke({} as ScheduledEvent)).toEqual({ next: new Date('2026-03-01T12:01:05Z') });
  expect([packs.map(({ organization }) => organization), events]).toEqual([
    [7],
    [['sweep.shard', [{ shard: 1 }]]],
  ]);
  expect(lines).toEqual([['swept', { shard: 0, watermark: noon, moved: true, lag: 1, behind: 0, packs: 1 }]]);
});

it('an event has its shard swept, and no other', async () => {
  await invoke(eventOf({ shard: 1 }));
  expect([packs.map(({ organization }) => organization), events]).toEqual([[1_007], []]);
  expect((await stateOf(table))?.swept_minute).toBe('2026-03-01T11:59:00.000Z');
});

it('a run without time to spare says how many are behind', async () => {
  await invoke(eventOf({ shard: 1 }), 20_000);
  expect(lines).toMatchObject([['swept', { shard: 1, behind: 1, packs: 0 }]]);
});

it('an event that names no shard fails', async () => {
  await expect(invoke(eventOf({}))).rejects.toThrow('names no shard');
});
