import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { PURGE_AFTER } from '#core/operations/purge.ts';
import { isOfKind } from '#functions/stream/contributions.ts';
import { OPEN } from '#functions/stream/records.ts';
import { filterOf as passing } from '#local/sources/filter.ts';
import { composed } from './templates.ts';

const { all, functions } = composed('prod');
const sources = all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
const readers = sources.filter(({ StartingPosition }) => StartingPosition);
const runs = (entry: string) => functions().find(fn => fn.entry === `functions/${entry}.ts`);

it('no more than two functions read the stream of the table', () => {
  expect(readers).toHaveLength(2);
});

it('a purge begins when every function that had read before the deletion has ended', () => {
  for (const { entry, Properties } of functions()) {
    expect(Properties.Timeout, entry).toBeLessThanOrEqual(PURGE_AFTER);
  }
  // The longest that SQS delays a message, and that Lambda lets a function run.
  expect(PURGE_AFTER).toBe(900);
});

it('a message stays invisible for six times as long as its function may take, and is kept where it keeps failing', () => {
  const queues = all('AWS::SQS::Queue').filter(({ Properties }) => Properties.RedrivePolicy);
  expect(queues).toHaveLength(3);
  for (const { id, Properties } of queues) {
    const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt']?.[0] === id);
    const fn = functions().find(fn => fn.id === source?.FunctionName.Ref);
    expect(Properties.VisibilityTimeout, id).toBe(6 * fn?.Properties.Timeout);
  }
});

const patternsOf = (entry: string): string[] =>
  readers
    .find(({ FunctionName }) => FunctionName.Ref === runs(entry)?.id)
    ?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => Pattern);

it('the dispatcher is invoked for purges and memberships that are stored, batches that end unknown, and nothing else', () => {
  const passes = passing(patternsOf('stream/dispatcher'), 'the dispatcher');
  const record = (PK: string, SK: string, eventName: string) => ({
    eventName,
    dynamodb: { Keys: { PK: { S: PK }, SK: { S: SK } } },
  });
  for (const [PK, SK] of [
    ['PURGE', 'ORG#7'],
    ['R#7#hash', 'IN#list'],
  ] as const) {
    for (const eventName of ['INSERT', 'MODIFY']) expect(passes(record(PK, SK, eventName))).toBe(true);
    expect(passes(record(PK, SK, 'REMOVE'))).toBe(false);
  }
  for (const SK of ['HEAD', 'J#1', 'T#1', 'META'])
    expect(passes(record('R#7#hash', SK, 'INSERT'))).toBe(false);
  // A batch that has ended with emails of which nobody knows whether they were sent.
  for (const state of ['posting', 'sent', 'failed', 'unknown', 'released', 'mixed']) {
    const ended = record('ORG#7#LOG', '2030-01-01T12:00#pack#list.automation', 'MODIFY');
    const image = { type: { S: 'batch' }, state: { S: state } };
    const batch = { ...ended, dynamodb: { ...ended.dynamodb, NewImage: image } };
    expect([state, passes(batch)]).toEqual([state, OPEN.has(state)]);
  }
});

describe('the projector', () => {
  const patterns = patternsOf('stream/projector');
  const passes = passing(patterns, 'the projector');
  const record = (key: string, eventName: DynamoDBRecord['eventName'] = 'MODIFY', type = 'send') => ({
    eventName,
    dynamodb: { Keys: { PK: { S: 'R#1#hash' }, SK: { S: key } }, NewImage: { type: { S: type } } },
  });
  const ofBatch = (eventName: DynamoDBRecord['eventName'], SK: string, type = '') => ({
    eventName,
    dynamodb: { Keys: { PK: { S: 'ORG#1#LOG' }, SK: { S: SK } }, NewImage: { type: { S: type } } },
  });

  it('has a kind for all that its filters pass, and they pass all that counts', () => {
    const BATCH = '2030-01-01T10:00#a1b2#l.a';
    const passed = [record('IN#1'), record('J#1'), ofBatch('MODIFY', BATCH, 'batch')];
    for (const one of passed) expect([passes(one), isOfKind(one)]).toEqual([true, true]);
    const others = [
      ...['HEAD', 'COUNTS', 'INVITE#1'].map(key => record(key)),
      ofBatch('INSERT', BATCH, 'batch'),
      ofBatch('MODIFY', `${BATCH}#M`),
    ];
    for (const one of others) expect(passes(one)).toBe(false);
  });

  it('is invoked for a claim only when something has happened to its email', () => {
    for (const eventName of ['INSERT', 'REMOVE'] as const) {
      expect(passes(record('J#1', eventName))).toBe(false);
      expect(passes(record('IN#1', eventName))).toBe(true);
    }
    expect(passes(record('J#1', 'MODIFY', 'removed'))).toBe(false);
  });
});
