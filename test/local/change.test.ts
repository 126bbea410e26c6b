import { expect, it } from 'vitest';
import { type Batch, retriesOf } from '#local/sources/change.ts';

const batch = (...names: string[]): Batch => ({
  shard: 'one',
  attempt: 2,
  changes: names.map(eventID => ({
    eventID,
    dynamodb: { SequenceNumber: eventID, ApproximateCreationDateTime: 0 },
  })),
});
const namesOf = (retries: Batch[]) =>
  retries.map(({ attempt, changes }) => [attempt, ...changes.map(({ eventID }) => eventID)]);

it('a batch of a stream that failed is tried again as a whole', () => {
  expect(namesOf(retriesOf(batch('a', 'b', 'c'), false))).toEqual([[3, 'a', 'b', 'c']]);
});

it('or in halves, in their order, down to a single change, where the template says so', () => {
  expect(namesOf(retriesOf(batch('a', 'b', 'c'), true))).toEqual([
    [2, 'a', 'b'],
    [2, 'c'],
  ]);
  expect(namesOf(retriesOf(batch('a'), true))).toEqual([[3, 'a']]);
});
