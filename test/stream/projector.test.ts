import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, expect, it, vi } from 'vitest';
import * as list from '#core/list/list.ts';
import { bucketOf } from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { found, newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});

const image = (status: string, by = 'app') => ({
  by: { S: by },
  email: { S: 'ann@example.com' },
  status: { S: status },
  metadata: { M: { signed_up: { S: '2030-01-05' }, plan: { S: 'basic' }, seats: { N: '3' } } },
  updated_at: { S: now.toISOString() },
  revision: { S: 'r1' },
});
let sequence = 100;
const record = (
  before: string | undefined,
  after: string,
  SK = `IN#${readers.id}`,
  by = 'app',
): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber: String(sequence++),
    Keys: { PK: { S: 'R#7#hash' }, SK: { S: SK } },
    ...(before && { OldImage: image(before) }),
    NewImage: image(after, by),
  },
});

type Put = (type: string, details: object[]) => Promise<void>;

async function handle(put: Put, ...Records: DynamoDBRecord[]) {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  vi.doMock('#functions/platform/bus.ts', () => ({ bus: { put } }));
  const { handler } = await import('#functions/stream/projector.ts');
  return handler({ Records, shardId: `shard-${readers.id}` });
}

const counted = async () => {
  const now = await found(table, readers.organization_id, readers.id);
  const { stats } = await list.datetimeColumns({ table }, now);
  return [now.counts.total, now.counts.subscribed, stats];
};

it.each([
  ['page', ['list_member.unsubscribed']],
  ['provider', ['list_member.unsubscribed']],
  ['bounce', ['list_member.bounced']],
  ['complaint', ['list_member.complained']],
])('of an end by %s, the events are %j', async (by, types) => {
  const events: string[] = [];
  const put: Put = async type => void events.push(type);
  await handle(put, record('subscribed', 'unsubscribed', `IN#${readers.id}`, by));
  await handle(put, record('subscribed', 'left', `IN#${readers.id}`, by));
  await handle(put, record('unsubscribed', 'unsubscribed', `IN#${readers.id}`, by));
  expect(events).toEqual(types);
});

it('memberships of the stream are counted, and their events put on the bus', async () => {
  const events: [type: string, detail: object][] = [];
  const put: Put = async (type, details) =>
    void events.push(...details.map((detail): [string, object] => [type, detail]));
  const answer = await handle(put, record(undefined, 'subscribed'), record('subscribed', 'unsubscribed'));
  expect(answer).toEqual({ state: {} });
  expect(await counted()).toEqual([1, 0, { signed_up: 1 }]);
  expect(events).toMatchObject([
    ['list_member.unsubscribed', { organization_id: 7, list_member_id: `${readers.id}-hash`, source: 'app' }],
  ]);
  expect(JSON.stringify(events)).not.toContain('@');
  await handle(put, record('unsubscribed', 'left'));
  expect(await counted()).toEqual([0, 0, {}]);
});

const COMBINATION = '0123456789ab';

it('what happened to an email is counted, and starts nothing', async () => {
  const claim = { type: { S: 'send' }, at: { S: now.toISOString() }, combination: { S: COMBINATION } };
  const opened = { ...claim, opened_at: { S: now.toISOString() } };
  const { dynamodb, ...rest } = record(undefined, 'subscribed', 'J#9999999998');
  const Keys = { ...dynamodb?.Keys, PK: { S: `R#${readers.organization_id}#hash` } };
  await handle(() => Promise.reject(new Error('It is no event')), {
    ...rest,
    dynamodb: { ...dynamodb, Keys, OldImage: claim, NewImage: opened },
  });
  const day = `2030-01-01#${bucketOf(COMBINATION)}`;
  const rollups = await queryPartition(table, `ORG#${readers.organization_id}#REPORT`, day);
  expect(rollups).toMatchObject([{ [`o${COMBINATION}`]: 1 }]);
});

it('a batch that was kept waiting is noted before it is counted, also where counting fails', async () => {
  const put: Put = () => Promise.reject(new Error('The bus is down'));
  const { dynamodb, ...rest } = record('subscribed', 'unsubscribed');
  const created = (secondsAgo: number) => ({
    ...rest,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: Math.floor(Date.now() / 1000) - secondsAgo },
  });
  await expect(handle(put, created(10))).rejects.toThrow('The bus is down');
  expect(await countedUntil({ table, now: new Date() })).toBeNull();
  await expect(handle(put, created(3_600), created(7_200))).rejects.toThrow('The bus is down');
  const until = Date.parse((await countedUntil({ table, now: new Date() })) ?? '');
  expect(Math.round((Date.now() - until) / 60_000)).toBe(120);
});

it('a batch that cannot be counted fails, so that the stream delivers it again', async () => {
  const put: Put = () => Promise.reject(new Error('The bus is down'));
  await expect(handle(put, record('subscribed', 'unsubscribed'))).rejects.toThrow('The bus is down');
  await expect(handle(put, record(undefined, 'subscribed', 'HEAD'))).rejects.toThrow('no known kind');
  expect(await counted()).toEqual([0, 0, {}]);
});
