import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changed,
  dateIn,
  entriesOf,
  faultOf,
  isTimeAtMidnight,
  looksLikeEpoch,
  readDatetime,
  typeOf,
  wholeFaultOf,
} from '#shared/metadata.ts';
import { MetadataChange } from '#shared/metadata-shapes.ts';
import { faultsIn } from '#test/support/faults.ts';

describe('A date in metadata', () => {
  it.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-03-01T10:15', '2026-03-01T10:15:00.000Z'],
    ['2026-03-01 10:15:30', '2026-03-01T10:15:30.000Z'],
    ['2026-03-01T10:15:30.123Z', '2026-03-01T10:15:30.000Z'],
    ['2026-03-01t10:15:30z', '2026-03-01T10:15:30.000Z'],
    ['2026-03-01T00:15:00+02:00', '2026-02-28T22:15:00.000Z'],
    ['2026-03-01T00:15:00+0200', '2026-02-28T22:15:00.000Z'],
    ['2026-03-01T10:15:00-0530', '2026-03-01T15:45:00.000Z'],
    ['2026-03-01T10:15:00+03', '2026-03-01T07:15:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(readDatetime(text)).toEqual(new Date(instant));
    expect(typeOf(text)).toBe('datetime');
  });

  it.each([
    '2026-02-30',
    '2026-00-10',
    '2026-13-01',
    '0000-00-00',
    '0000-00-00 00:00:00',
    '2025-02-29',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10:00:00+15:00',
    '0999-12-31',
    '9999-12-31T23:00:00-05:00',
  ])('%s does not exist', text => {
    expect(readDatetime(text)).toBe('invalid');
    expect(faultOf('d', text)).toBe('This date does not exist');
  });

  it.each([
    '',
    'tomorrow',
    '2026',
    '2026-1-1',
    '01/02/2026',
    '1767225600000',
    '2026-01-01 at noon',
    ' 2026-01-01',
    '2026-W01-1',
    '12026-01-01',
  ])('"%s" is text, not a date', text => {
    expect(readDatetime(text)).toBeUndefined();
    expect(faultOf('d', text)).toBeUndefined();
    expect(typeOf(text)).toBe('string');
  });

  it('may be any instant that toISOString writes, from the year 1000 on', () => {
    const instants = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, instant => {
        const second = new Date(Math.floor(instant.getTime() / 1000) * 1000);
        expect(readDatetime(instant.toISOString())).toEqual(second);
      }),
    );
  });
});

describe('A key', () => {
  it.each(['plan', 'Plan 2', 'a.b-c_d', '1', 'toString'])('may be %s', key => {
    expect(faultOf(key, 'x')).toBeUndefined();
  });

  it.each(['', ' plan', 'plan ', 'a/b', 'a#b', 'ä', 'مدينة', 'a\nb', '@list'])('may not be "%s"', key => {
    expect(faultOf(key, 'x')).toBe(
      'A key must consist of letters from a to z, digits, spaces, dots, hyphens and underscores, and neither begin nor end with a space',
    );
  });

  it('may have 64 characters', () => {
    expect(faultOf('x'.repeat(64), 'x')).toBeUndefined();
    expect(faultOf('x'.repeat(65), 'x')).toBe('A key must be at most 64 characters');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('may not be %s, which objects have', key => {
    expect(faultOf(key, 'x')).toBe(`A key must not be called ${key}`);
    expect(faultOf(key, null)).toBe(`A key must not be called ${key}`);
  });
});

describe('A value', () => {
  it.each(['', 'x'.repeat(1024), 0, -1.5, Number.MAX_SAFE_INTEGER, 1e-130, true, false, null])(
    'may be %j',
    value => {
      expect(faultOf('k', value)).toBeUndefined();
    },
  );

  it.each([
    ['A value must be text, a number, true or false', [undefined, {}, []]],
    ['A value must be at most 1024 characters', ['x'.repeat(1025)]],
    [
      'This number cannot be kept exactly: send it as text',
      [2 ** 53, -1e20, 1e-131, Number.POSITIVE_INFINITY, Number.NaN],
    ],
    ['A value must not contain the NUL character', ['a\0b']],
  ])('is refused: %s', (fault, values) => {
    for (const value of values) expect(faultOf('k', value)).toBe(fault);
  });
});

describe('Metadata as a whole', () => {
  const keys = (count: number, value: string | number = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

  it('has at most 50 keys and 16 KB', () => {
    expect(wholeFaultOf(keys(50))).toBeUndefined();
    expect(wholeFaultOf(keys(51))).toBe('At most 50 keys of metadata can be kept');
    expect(wholeFaultOf(keys(15, 'x'.repeat(1024)))).toBeUndefined();
    expect(wholeFaultOf(keys(16, 'x'.repeat(1024)))).toBe('Metadata must be at most 16 KB in all');
    expect(wholeFaultOf(keys(6, 'ü'.repeat(1024)))).toBeUndefined();
    expect(wholeFaultOf(keys(9, 'ü'.repeat(1024)))).toBe('Metadata must be at most 16 KB in all');
    const most = 16 * 1024 - JSON.stringify(keys(17, 'x'.repeat(900))).length;
    const filled = (more: number) => ({ ...keys(17, 'x'.repeat(900)), k0: 'x'.repeat(900 + most + more) });
    expect(wholeFaultOf(filled(0))).toBeUndefined();
    expect(wholeFaultOf(filled(1))).toBe('Metadata must be at most 16 KB in all');
  });

  it('has at most 40 dates', () => {
    expect(wholeFaultOf({ ...keys(40, '2030-01-05'), a: 'x', b: 1, c: '2030-02-30' })).toBeUndefined();
    expect(wholeFaultOf(keys(41, '2030-01-05T10:00:00Z'))).toBe('At most 40 values of metadata can be dates');
  });

  it('takes a change that replaces all of its keys by as many others', () => {
    const removed = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`old${at}`, null]));
    expect(MetadataChange.safeParse({ ...removed, ...keys(50) }).success).toBe(true);
    expect(MetadataChange.safeParse({ ...removed, ...keys(50), one: null }).success).toBe(false);
  });

  it('is an object of which each part and the whole is checked', () => {
    const object = { '': 'Metadata must be an object of keys and values' };
    for (const wrong of [null, [], 'plan', undefined])
      expect(faultsIn(MetadataChange, wrong)).toEqual(object);
    expect(faultsIn(MetadataChange, keys(51))).toEqual({ '': 'At most 50 keys of metadata can be kept' });
    expect(faultsIn(MetadataChange, { ...keys(51), d: '2026-02-30' })).toEqual({
      d: 'This date does not exist',
    });
    expect(MetadataChange.parse({ a: null, b: '2026-01-05' })).toEqual({ a: null, b: '2026-01-05' });
  });

  it('is changed in the keys that are sent, and keeps the others', () => {
    expect(changed({ a: 1, b: 2 }, { b: null, c: 3 })).toEqual({ a: 1, c: 3 });
    expect(changed({ toString: 1 }, {})).toEqual({ toString: 1 });
  });

  it('is answered with the type of each value, in the order of its keys', () => {
    expect(entriesOf({ b: true, a: '2026-01-01', c: 1, d: 'x' })).toEqual([
      { key: 'a', type: 'datetime', value: '2026-01-01' },
      { key: 'b', type: 'boolean', value: true },
      { key: 'c', type: 'number', value: 1 },
      { key: 'd', type: 'string', value: 'x' },
    ]);
  });

  it('is not looked at key by key where there are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 95_000 }, (_, at) => [`?${at}`, []]));
    expect(MetadataChange.safeParse(many).error?.issues).toMatchObject([
      { path: [], message: 'At most 50 keys of metadata can be kept' },
    ]);
  });

  it('reports each fault at its key', () => {
    const { success, error } = MetadataChange.safeParse(JSON.parse('{"a": [], "__proto__": 1, "c": 1}'));
    expect(success).toBe(false);
    expect(error?.issues.map(({ path }) => path)).toEqual([['a'], ['__proto__']]);
  });
});

it('a time at midnight is a millisecond later, so that it is told from a date without a time', () => {
  const instants = ['2026-03-01', '2026-03-01T00:00:00Z', '2026-03-01T02:00+02:00', '1969-12-31T00:00'].map(
    dateIn,
  );
  expect(instants.map(instant => instant?.toISOString())).toEqual([
    '2026-03-01T00:00:00.000Z',
    '2026-03-01T00:00:00.001Z',
    '2026-03-01T00:00:00.001Z',
    '1969-12-31T00:00:00.001Z',
  ]);
  expect(instants.map(instant => instant && isTimeAtMidnight(instant))).toEqual([false, true, true, true]);
  for (const [time, is] of [
    ['00:00:59.999', true],
    ['00:01:00.000', false],
    ['23:59:59.999', false],
  ] as const) {
    expect([time, isTimeAtMidnight(new Date(`1969-03-01T${time}Z`))]).toEqual([time, is]);
  }
  expect([dateIn(7), dateIn('soon'), dateIn('2026-02-30'), dateIn(undefined)]).toEqual(
    Array(4).fill(undefined),
  );
});

it.each([
  ['1000000000000', true],
  [1_000_000_000_000, true],
  ['999999999999', false],
  ['0999999999999', false],
  [3_999_999_999_999, true],
  [4_000_000_000_000, false],
  ['x1767225600000', false],
  ['17672256000000', false],
])('%j looks like a time in milliseconds: %s', (value, looks) => {
  expect(looksLikeEpoch(value)).toBe(looks);
});
