import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, entriesOf, faultOf, readDatetime, typeOf, wholeFaultOf } from '#shared/metadata.ts';
import { MetadataChange } from '#shared/metadata-shapes.ts';

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

  it.each(['', ' plan', 'plan ', 'a/b', 'a#b', 'ä', 'مدينة', 'a\nb', 'x'.repeat(65)])(
    'may not be "%s"',
    key => {
      expect(faultOf(key, 'x')).toMatch(/^A key must/);
    },
  );

  it('says which letters it may have', () => {
    expect(faultOf('مدينة', 'x')).toContain('letters from a to z');
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
    undefined,
    {},
    [],
    'x'.repeat(1025),
    2 ** 53,
    -1e20,
    1e-131,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    'a\0b',
  ])('may not be %j', value => {
    expect(faultOf('k', value)).toEqual(expect.any(String));
  });
});

describe('Metadata as a whole', () => {
  const keys = (count: number, value: string | number = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

  it('has at most 50 keys and 16 KB', () => {
    expect(wholeFaultOf(keys(50))).toBeUndefined();
    expect(wholeFaultOf(keys(51))).toMatch('50');
    expect(wholeFaultOf(keys(15, 'x'.repeat(1024)))).toBeUndefined();
    expect(wholeFaultOf(keys(16, 'x'.repeat(1024)))).toMatch('16 KB');
    expect(wholeFaultOf(keys(6, 'ü'.repeat(1024)))).toBeUndefined();
    expect(wholeFaultOf(keys(9, 'ü'.repeat(1024)))).toMatch('16 KB');
  });

  it('has at most 40 dates', () => {
    expect(wholeFaultOf({ ...keys(40, '2030-01-05'), a: 'x', b: 1, c: '2030-02-30' })).toBeUndefined();
    expect(wholeFaultOf(keys(41, '2030-01-05T10:00:00Z'))).toBe('At most 40 values of metadata can be dates');
  });

  it('takes a change that removes more keys than it can have', () => {
    const removed = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, null]));
    expect(MetadataChange.safeParse({ ...removed, plan: 'basic' }).success).toBe(true);
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
