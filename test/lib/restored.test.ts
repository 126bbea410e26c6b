import { expect, it } from 'vitest';
import { tableNameOf } from '#lib/stages.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { compose, composed } from './templates.ts';

const restored = {
  of: 'letterflow-prod',
  to: '2030-01-31T17:00:00.000Z',
  table: 'letterflow-prod-20300131t170000',
  stream: 'arn:aws:dynamodb:eu-central-1:111122223333:table/letterflow-prod-20300131t170000/stream/1',
};
const after = compose({ stage: 'prod', settings: { ...cdkJson.context.stages.prod, restored } });

it('a stage that was restored uses the restored table, and its stream, for everything', () => {
  for (const { entry, Properties } of after.functions()) {
    const { TABLE_NAME = restored.table } = Properties.Environment.Variables;
    expect([entry, TABLE_NAME]).toEqual([entry, restored.table]);
  }
  const readers = after.all('AWS::Lambda::EventSourceMapping').map(one => one.Properties);
  const streams = readers.flatMap(({ EventSourceArn }) =>
    typeof EventSourceArn === 'string' || JSON.stringify(EventSourceArn).includes('Table')
      ? [EventSourceArn]
      : [],
  );
  expect(streams).toEqual([restored.stream, restored.stream]);
  const granted = after
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  const ofTable = granted.filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:GetItem'));
  expect(ofTable.length).toBeGreaterThan(10);
  for (const { Resource } of ofTable) expect(JSON.stringify(Resource)).toContain(`:table/${restored.table}`);
});

it('its own table stays as it is, with what other stacks import until they are deployed too', () => {
  const before = composed('prod');
  const dataOf = (all: typeof before) => all.templates.find(({ stack }) => stack.endsWith('-data'));
  expect(after.only('AWS::DynamoDB::Table')).toEqual(before.only('AWS::DynamoDB::Table'));
  const exportsOf = (all: typeof before) =>
    Object.values(dataOf(all)?.outputs ?? {}).map(({ Export, Value }) => JSON.stringify([Export, Value]));
  expect(exportsOf(before).length).toBeGreaterThan(3);
  for (const one of exportsOf(before)) expect(exportsOf(after)).toContain(one);
});

it('commands find the table that a stage uses', () => {
  expect(tableNameOf('dev', { dev: {} })).toBe('letterflow-dev');
  expect(tableNameOf('prod', { prod: { restored } })).toBe(restored.table);
});
