import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { batchWrite, fromItem, get, getAll, queryPartition, rawPages } from '#core/storage/table.store.ts';
import { ABSENT, ConditionFailed, commit, putWrite, updateWrite } from '#core/storage/write.store.ts';
import { engineTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';

const table = engineTable({ anyItems: true });
const item = (SK: string, size = 0) => ({ PK: 'SHELF', SK, text: 'x'.repeat(size) });

describe('a transaction', () => {
  it('writes nothing where one condition does not hold, and says which', async () => {
    await commit(table, [putWrite(table, item('taken'), ABSENT)]);
    const [free, taken] = [putWrite(table, item('free'), ABSENT), putWrite(table, item('taken'), ABSENT)];
    const lost = await commit(table, [free, taken]).catch(error => error);
    expect(lost).toBeInstanceOf(ConditionFailed);
    expect([free, taken].map(write => lost.isOf(write))).toEqual([false, true]);
    expect(await get(table, { PK: 'SHELF', SK: 'free' })).toBeUndefined();
  });
});

// DynamoDB refuses empty maps of names and values; the local engine takes them.
it('a write says nothing of names and values that it has none of', () => {
  const key = { PK: 'SHELF', SK: 'any' };
  expect(putWrite(table, key, ABSENT).Put).not.toHaveProperty('ExpressionAttributeValues');
  expect(putWrite(table, key, ABSENT).Put).not.toHaveProperty('ExpressionAttributeNames');
  expect(updateWrite(table, key, { drop: ['text'] }).Update).not.toHaveProperty('ExpressionAttributeValues');
});

describe('reading', () => {
  it('strips the keys and the expiry of an item', () => {
    const stored = { name: 'Post office', PK_OF: 'kept' };
    const item = { ...stored, PK: 'ORG#1', SK: 'META', GSI1PK: 'LIST#1', GSI1SK: 'a@b.c', ttl: 1 };
    expect(fromItem(item)).toEqual(stored);
  });

  it('continues after the first megabyte of a partition', async () => {
    for (let i = 0; i < 5; i++) await commit(table, [putWrite(table, item(`long${i}`, 300_000))]);
    expect(await queryPartition(table, 'SHELF', 'long')).toHaveLength(5);
  });

  it('continues also where attributes are left as they are answered', async () => {
    const found = [];
    const range = { PK: 'SHELF', from: 'long1', to: 'long4' };
    for await (const items of rawPages(table, range, { consistent: true })) found.push(...items);
    expect(found.map(({ SK, text }) => [SK?.S, text?.S?.length])).toEqual(
      [1, 2, 3, 4].map(n => [`long${n}`, 300_000]),
    );
  });

  it('finds more than a hundred items by their keys', async () => {
    const keys = Array.from({ length: 130 }, (_, i) => ({ PK: 'MANY', SK: String(i) }));
    for (const batch of [keys.slice(0, 100), keys.slice(100)]) {
      await commit(
        table,
        batch.map(key => putWrite(table, key)),
      );
    }
    expect(await getAll(table, keys)).toHaveLength(130);
    expect(await getAll(table, [])).toEqual([]);
  });
});

it('what DynamoDB leaves undone of a batch is asked for again', async () => {
  const keys = Array.from({ length: 4 }, (_, i) => ({ PK: 'PARTS', SK: String(i) }));
  /** Does one part of a batch at a time. */
  const slow = intercepted(table, async (send, { constructor: { name }, input }) => {
    const items = input.RequestItems ?? {};
    if (name === 'BatchWriteCommand') {
      const [first = {}, ...rest] = items[table.name] ?? [];
      items[table.name] = [first];
      return {
        ...((await send()) as object),
        UnprocessedItems: rest.length > 0 ? { [table.name]: rest } : {},
      };
    }
    const wanted = items[table.name] as unknown as { Keys: object[] };
    const [first = {}, ...rest] = wanted.Keys;
    wanted.Keys = [first];
    return {
      ...((await send()) as object),
      UnprocessedKeys: rest.length > 0 ? { [table.name]: { Keys: rest } } : {},
    };
  });
  await batchWrite(slow, { puts: keys });
  expect(await getAll(table, keys)).toHaveLength(4);
  expect(await getAll(slow, keys)).toHaveLength(4);
});

/** The local engine lets transactions wait for each other; DynamoDB refuses one of them. */
describe('two transactions that conflict on one item', () => {
  const real = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
  const client = mockClient(real);
  const conflict = Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });
  const mocked = { name: 'mocked', client: real };

  beforeEach(() => client.reset());

  it('are retried', async () => {
    client.on(TransactWriteCommand).rejectsOnce(conflict).resolves({});
    await commit(mocked, [putWrite(mocked, item('any'))]);
    expect(client.commandCalls(TransactWriteCommand)).toHaveLength(2);
  });

  it('fail after five tries', async () => {
    client.on(TransactWriteCommand).rejects(conflict);
    await expect(commit(mocked, [putWrite(mocked, item('any'))])).rejects.toThrow('refused 5 times');
    expect(client.commandCalls(TransactWriteCommand)).toHaveLength(5);
  });
});
