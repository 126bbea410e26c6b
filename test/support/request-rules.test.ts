import { expect, it } from 'vitest';
import { requireValid } from './request-rules.ts';

const own = { anyItems: false };
const query =
  (range: string, values: object, more: object = {}) =>
  () =>
    requireValid(
      'QueryCommand',
      {
        ConsistentRead: true,
        KeyConditionExpression: `PK = :pk AND ${range}`,
        ExpressionAttributeValues: { ':pk': 'USER#1', ...values },
        ...more,
      },
      own,
    );
const put = (Item: object) => () => requireValid('PutCommand', { Item }, { anyItems: true });

it('what DynamoDB refuses and local tables accept is refused', () => {
  expect(query('begins_with(SK, :p)', { ':p': '' })).toThrow(':p is empty');
  expect(query('SK > :p', { ':p': 'A' })).not.toThrow();
  const startingAt = (SK: string) => ({ ExclusiveStartKey: { PK: 'USER#1', SK } });
  const outside = 'The provided starting key is outside query boundaries';
  expect(query('begins_with(SK, :p)', { ':p': 'A#' }, startingAt('B#1'))).toThrow(outside);
  expect(query('begins_with(SK, :p)', { ':p': 'A#' }, startingAt('A#1'))).not.toThrow();
  expect(query('SK BETWEEN :a AND :b', { ':a': 'A', ':b': 'C' }, startingAt('D'))).toThrow(outside);
});

it('keys of the table and of its index have the sizes of DynamoDB', () => {
  const keys = { PK: 'USER#1', SK: 'PROFILE' };
  expect(put({ ...keys, GSI1PK: 'L', GSI1SK: 'é'.repeat(512) })).not.toThrow();
  expect(put({ ...keys, GSI1PK: 'L', GSI1SK: 'é'.repeat(513) })).toThrow('GSI1SK has 1026 bytes');
  expect(put({ ...keys, GSI1PK: 'x'.repeat(2049) })).toThrow('GSI1PK has 2049 bytes');
  expect(put({ ...keys, GSI1SK: '' })).toThrow('GSI1SK has 0 bytes');
});
