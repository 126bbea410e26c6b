import { describe, expect, it } from 'vitest';
import { LAST_PASS_AFTER } from '../../functions/core/storage/purge/purge.ts';
import { KINDS } from '../../functions/projector/projector.kinds.ts';
import { filterOf as passing } from '../../local/sources/filter.ts';
import { composed } from './templates.ts';

const { all, functions } = composed('prod');
const sources = all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
const readers = sources.filter(({ StartingPosition }) => StartingPosition);
const runs = (entry: string) => functions().find(fn => fn.entry === `functions/${entry}.ts`);

it('no more than two functions read the stream of the table', () => {
  expect(readers).toHaveLength(2);
});

it('a purge makes its last pass when no function can still write what it read before the deletion', () => {
  const writers = functions().filter(
    ({ entry, Properties }) =>
      Properties.Environment?.Variables?.TABLE_NAME && entry !== 'functions/background/purge.ts',
  );
  expect(writers.length).toBeGreaterThan(5);
  for (const { entry, Properties } of writers) {
    expect(Properties.Timeout * 1000, entry).toBeLessThanOrEqual(LAST_PASS_AFTER);
  }
  expect(LAST_PASS_AFTER).toBe(120_000);
});

it('a message stays invisible for six times as long as its function may take, and is kept where it keeps failing', () => {
  const queues = all('AWS::SQS::Queue').filter(({ Properties }) => Properties.RedrivePolicy);
  expect(queues).toHaveLength(2);
  for (const { id, Properties } of queues) {
    const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt']?.[0] === id);
    const fn = functions().find(fn => fn.id === source?.FunctionName.Ref);
    expect(Properties.VisibilityTimeout, id).toBe(6 * fn?.Properties.Timeout);
  }
});

describe('the projector', () => {
  const source = readers.find(({ FunctionName }) => FunctionName.Ref === runs('projector/projector')?.id);
  const patterns: string[] = source?.FilterCriteria.Filters.map(
    ({ Pattern }: { Pattern: string }) => Pattern,
  );
  const passes = passing(patterns, 'the projector');
  const record = (key: string, eventName = 'MODIFY', type = 'send') => ({
    eventName,
    dynamodb: { Keys: { PK: { S: 'R#1#hash' }, SK: { S: key } }, NewImage: { type: { S: type } } },
  });

  it('has a kind for each prefix of its filters, which pass all of its kinds', () => {
    for (const prefix of Object.keys(KINDS)) expect(passes(record(`${prefix}x`)), prefix).toBe(true);
    for (const pattern of patterns) {
      for (const { prefix } of JSON.parse(pattern).dynamodb.Keys.SK.S)
        expect(Object.keys(KINDS)).toContain(prefix);
    }
    for (const key of ['HEAD', 'COUNTS', 'INVITE#1']) expect(passes(record(key)), key).toBe(false);
  });

  it('is invoked for a claim only when something has happened to its email', () => {
    for (const eventName of ['INSERT', 'REMOVE']) {
      expect(passes(record('J#1', eventName))).toBe(false);
      expect(passes(record('IN#1', eventName))).toBe(true);
    }
    expect(passes(record('J#1', 'MODIFY', 'removed'))).toBe(false);
  });
});
