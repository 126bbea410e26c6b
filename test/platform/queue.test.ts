import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queuePack, queuePacks, queuePurge } from '#functions/platform/queue.ts';
import { mockedClient } from '../support/mocked-client.ts';

const sqs = mockedClient(SQSClient);
beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  vi.stubEnv('PACKS_QUEUE', 'https://sqs/packs');
  vi.stubEnv('PURGES_QUEUE', 'https://sqs/purges');
});
afterEach(() => void vi.unstubAllEnvs());
// Other files of the same worker send to real queues.
afterAll(() => sqs.restore());

const requests = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
const entries = () => requests().flatMap(({ Entries = [] }) => Entries);
const pack = (organization: number, bytes = 0) => ({ organization, people: 'x'.repeat(bytes) });

describe('packs are queued', () => {
  it('ten in a request, each in the group of its organization', async () => {
    const packs = Array.from({ length: 23 }, (_, nth) => pack(nth % 3));
    await queuePacks(packs);
    expect(requests().map(({ QueueUrl, Entries = [] }) => [QueueUrl, Entries.length])).toEqual([
      ['https://sqs/packs', 10],
      ['https://sqs/packs', 10],
      ['https://sqs/packs', 3],
    ]);
    expect(entries().map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toEqual(packs);
    expect(entries().map(({ MessageGroupId }) => MessageGroupId)).toEqual(
      packs.map(({ organization }) => String(organization)),
    );
    for (const { Entries = [] } of requests())
      expect(new Set(Entries.map(({ Id }) => Id)).size).toBe(Entries.length);
  });

  it('those of a pass in a group of its own, so that a million people delay no other email of the organization', async () => {
    const sources = [{ list: 'readers' }, { list: 'readers', existing: '2030-01-01T10:00:00Z' }];
    await queuePacks([
      pack(7),
      { ...pack(7), sources },
      { ...pack(8), sources },
      { ...pack(7), sources: [] },
    ]);
    expect(entries().map(({ MessageGroupId }) => MessageGroupId)).toEqual(['7', '7-pass', '8-pass', '7']);
  });

  it('in requests that the queue takes, however large they are', async () => {
    await queuePacks(Array.from({ length: 12 }, () => pack(1, 200_000)));
    const sizes = requests().map(({ Entries = [] }) =>
      Entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(1_048_576);
    expect(requests().map(({ Entries = [] }) => Entries.length)).toEqual([4, 4, 4]);
  });

  it('all, or the call fails: also where only one of them is refused', async () => {
    const Failed = [{ Id: '3', Code: 'InternalError', SenderFault: false }];
    sqs.on(SendMessageBatchCommand).resolvesOnce({ Successful: [], Failed });
    await expect(queuePacks(Array.from({ length: 5 }, () => pack(1)))).rejects.toThrow(
      'The queue refused 1 of 5 messages: InternalError',
    );
  });

  it('with no request where there are none', async () => {
    await queuePacks([]);
    expect(requests()).toEqual([]);
  });

  it('later, for fifteen minutes at most', async () => {
    sqs.on(SendMessageCommand).resolves({});
    await queuePack(pack(7), 29.2);
    await queuePack(pack(7), 5_000);
    const inputs = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toMatchObject([
      { DelaySeconds: 30, MessageGroupId: '7', QueueUrl: 'https://sqs/packs' },
      { DelaySeconds: 900, MessageGroupId: '7' },
    ]);
  });
});

it('a purge is queued in the group of its organization', async () => {
  sqs.on(SendMessageCommand).resolves({});
  const purge = { organization_id: 7, list_id: 'readers', ticket: 'one' };
  await queuePurge(purge, 900);
  const [{ MessageBody = '', ...input } = {}] = sqs
    .commandCalls(SendMessageCommand)
    .map(({ args: [{ input }] }) => input);
  expect(input).toEqual({ QueueUrl: 'https://sqs/purges', DelaySeconds: 900, MessageGroupId: '7' });
  expect(JSON.parse(MessageBody)).toEqual(purge);
});
