import { describe, expect, it } from 'vitest';
import { filterOf } from '#local/sources/filter.ts';

const filter = (...patterns: unknown[]) =>
  filterOf(
    patterns.map(pattern => JSON.stringify(pattern)),
    'functions/purge.ts',
  );

const record = {
  eventName: 'INSERT',
  dynamodb: {
    Keys: { PK: { S: 'PURGE' }, SK: { S: 'ORG#7' } },
    NewImage: { rounds: { N: '0' }, tags: { SS: ['a', 'b'] }, gone: { NULL: true }, note: { S: '' } },
  },
};
const image = (field: unknown) => ({ dynamodb: { NewImage: field } });

describe('A filter matches', () => {
  it.each<[string, unknown]>([
    ['one of several values', { eventName: ['REMOVE', 'INSERT'] }],
    ['a value deep inside', { dynamodb: { Keys: { PK: { S: ['PURGE'] } } } }],
    ['one value of a set', image({ tags: { SS: ['b'] } })],
    ['a value that is true', image({ gone: { NULL: [true] } })],
    ['an empty text', image({ note: { S: [''] } })],
    ['what begins so', { dynamodb: { Keys: { SK: { S: [{ prefix: 'ORG#' }] } } } }],
    ['what any of its rules asks for', { eventName: ['REMOVE', { prefix: 'INS' }] }],
    [
      'what all of its fields ask for',
      { eventName: ['INSERT'], dynamodb: { Keys: { PK: { S: ['PURGE'] } } } },
    ],
  ])('%s', (_, pattern) => {
    expect(filter(pattern)(record)).toBe(true);
  });

  it('what one of its patterns matches, and everything where there is none', () => {
    expect(filter({ eventName: ['REMOVE'] }, { eventName: ['INSERT'] })(record)).toBe(true);
    expect(filterOf(undefined, 'functions/purge.ts')(record)).toBe(true);
  });
});

describe('A filter does not match', () => {
  it.each<[string, unknown]>([
    ['another value', { eventName: ['REMOVE'] }],
    ['what only begins like the value', { eventName: ['INS'] }],
    ['what begins otherwise', { dynamodb: { Keys: { SK: { S: [{ prefix: 'RG#' }] } } } }],
    ['an object where a text has to begin so', { dynamodb: { Keys: [{ prefix: 'P' }] } }],
    [
      'what one of its fields does not ask for',
      { eventName: ['INSERT'], dynamodb: { Keys: { PK: { S: ['X'] } } } },
    ],
    ['a field that is missing', image({ missing: { S: ['x'] } })],
    ['a number written as text from a number', image({ rounds: { N: [0] } })],
    ['an object that should be a value', { dynamodb: ['x'] }],
    ['a value that should be an object', { eventName: { S: ['INSERT'] } }],
  ])('%s', (_, pattern) => {
    expect(filter(pattern)(record)).toBe(false);
  });
});

describe('A filter that is not understood is an error at once', () => {
  it.each<[unknown, RegExp]>([
    [{ eventName: [{ numeric: ['>', 1] }] }, /of functions\/purge\.ts: {"numeric":\[">",1\]} is not known\./],
    [{ eventName: [{ prefix: 'a', suffix: 'b' }] }, /is not known/],
    [{ eventName: [{ exists: true }] }, /is not known/],
    [{ $or: [{ eventName: ['a'] }] }, /\$or is not known/],
    [{ eventName: 'INSERT' }, /"INSERT" is neither a list of values nor an object of fields/],
    [{ eventName: [] }, /an empty list matches nothing/],
    [{ eventName: {} }, /{} is neither/],
    [{ eventName: [{ prefix: 1 }] }, /{"prefix":1} is not known/],
    [{ eventName: [['INSERT']] }, /\["INSERT"\] is not known/],
  ])('%j', (pattern, message) => {
    expect(() => filter(pattern)).toThrow(message);
  });

  it('and so is one that is no JSON', () => {
    expect(() => filterOf(['{'], 'functions/purge.ts')).toThrow(
      'The local stack does not understand the filter { of functions/purge.ts: it is no JSON.',
    );
  });
});
