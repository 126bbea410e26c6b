import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDatetime } from '#shared/metadata.ts';
import { isoReadings, unreadDateText } from '#shared/written-date.ts';
import { extent } from '#test/support/prove.ts';

describe('A date that is not written in ISO 8601', () => {
  it.each([
    ['11/22/2026', '2026-11-22'],
    ['22/11/2026', '2026-11-22'],
    ['22.11.2026', '2026-11-22'],
    ['22-11-2026', '2026-11-22'],
    ['2026/11/22', '2026-11-22'],
    ['2026.11.22', '2026-11-22'],
    ['2026-1-5', '2026-01-05'],
    ['3/3/2026', '2026-03-03'],
    ['Nov 22, 2026', '2026-11-22'],
    ['nov. 22 2026', '2026-11-22'],
    ['November 22nd, 2026', '2026-11-22'],
    ['Sept 5,2026', '2026-09-05'],
    ['22 November 2026', '2026-11-22'],
    ['22. November 2026', '2026-11-22'],
    ['1st of May 2026', '2026-05-01'],
    ['22-Nov-2026', '2026-11-22'],
    ['Sunday, November 22, 2026', '2026-11-22'],
    ['  2026-11-22 ', '2026-11-22'],
    ['11/22/2026 14:30', '2026-11-22T14:30'],
    ['11/22/2026, 2:30:15 PM', '2026-11-22T14:30:15'],
    ['11/22/2026, 2:30:15\u202fPM', '2026-11-22T14:30:15'],
    ['11/22/2026 12:05 a.m.', '2026-11-22T00:05'],
    ['22.11.2026, 14:30', '2026-11-22T14:30'],
    ['2026/11/22 9:30', '2026-11-22T09:30'],
    ['2026-11-22 2:30 PM', '2026-11-22T14:30'],
    ['2026-11-22 14:30 UTC', '2026-11-22T14:30Z'],
    ['November 22, 2026 at 2:30 PM', '2026-11-22T14:30'],
    ['Sun, 22 Nov 2026 14:30:00 GMT', '2026-11-22T14:30:00Z'],
    ['Sun, 22 Nov 2026 14:30:00 +0100', '2026-11-22T14:30:00+0100'],
    ['22 Nov 2026 14:30 +02:00', '2026-11-22T14:30+02:00'],
    ['Sun Nov 22 2026 16:00:00 GMT-0800 (Pacific Standard Time)', '2026-11-22T16:00:00-0800'],
  ])('%s is %s', (text, iso) => {
    expect(isoReadings(text)).toEqual([iso]);
  });

  it.each([
    ['03/04/2026', ['2026-03-04', '2026-04-03']],
    ['03.04.2026', ['2026-04-03', '2026-03-04']],
    ['3-4-2026', ['2026-04-03', '2026-03-04']],
    ['3/4/2026 9:05', ['2026-03-04T09:05', '2026-04-03T09:05']],
  ])('%s may be either of %j', (text, readings) => {
    expect(isoReadings(text)).toEqual(readings);
  });

  it.each([
    ['a day without a year', '12/13 | 11/22 | November 22 | 22 Nov | 3/4 | 1-2'],
    ['a text without a day', 'tomorrow | 2026 | 11/2026 | Nov 2026 | 14:30'],
    ['a version', '1.2.3 | 10.0.19041 | v1.2.2026 | 2026.1.2 | 192.168.1.1 | 10.11.12.2026 | 1.2.2026-beta'],
    ['a number', '$11.22 | 1.234,56 | 19.99 | 1,000 | 20% | 1767225600000 | 20261122'],
    ['a telephone number', '+358 40 123 4567 | 555-1234 | 12-34-5678 | 01-02-0304'],
    ['a number of a person', '040-12-2026-1 | 123-45-6789'],
    ['a span', '11/22/2026-11/25/2026 | 2026-11-22/2026-11-25 | 11/22/2026 - 11/25/2026'],
    ['a part of a text', 'since 11/22/2026 | 11/22/2026 or later | 11/22/2026 at noon | Order 11/22/2026'],
    ['a day that there is not', '02/30/2026 | 31.06.2026 | 13/13/2026 | 0/1/2026 | Feb 29, 2026'],
    ['another month or separator', 'Foo 22, 2026 | 22 Mayo 2026 | 11/22-2026 | 11.22/2026'],
    ['another year', '1/2/3 | 10/20/30 | 11/22/1026 | 11/22/2926 | 11/22/20266 | 11/22/26'],
    ['another time of day', '11/22/2026 25:00 | 11/22/2026 13:00 PM | 11/22/2026 0:30 AM'],
  ])('%s is none: %s', (_, texts) => {
    for (const text of texts.split(' | ')) expect(isoReadings(text), text).toEqual([]);
  });

  it('is none where there is no text, or more of it than a date has', () => {
    for (const text of ['', `11/22/2026${' '.repeat(80)}`]) expect(isoReadings(text)).toEqual([]);
  });

  const days = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10));
  const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const forms: ((year: string, month: string, day: string) => string)[] = [
    (year, month, day) => `${month}/${day}/${year}`,
    (year, month, day) => `${day}.${month}.${year}`,
    (year, month, day) => `${Number(day)}-${Number(month)}-${year}`,
    (year, month, day) => `${year}/${month}/${day}`,
    (year, month, day) => `${NAMES[Number(month) - 1]} ${Number(day)}, ${year}`,
    (year, month, day) => `${Number(day)} ${NAMES[Number(month) - 1]} ${year}`,
  ];
  const parts = (iso: string) => iso.split('-') as [string, string, string];

  it('is read as what was written, whatever the day', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...forms), (day, write) => {
        const written = write(...parts(day));
        const readings = isoReadings(written);
        expect(readings).toContain(day);
        for (const reading of readings) {
          expect(parts(reading).toSorted()).toEqual(parts(day).toSorted());
          expect(readDatetime(reading)).toEqual(new Date(reading));
        }
      }),
    );
  });

  it('is none that is in ISO 8601', () => {
    fc.assert(
      fc.property(
        days,
        fc.constantFrom('', 'T10:15', ' 10:15:30', 'T10:15:30Z', 'T10:15+02:00'),
        (day, time) => {
          expect(readDatetime(`${day}${time}`)).toBeInstanceOf(Date);
          expect(isoReadings(`${day}${time}`)).toEqual([]);
        },
      ),
    );
  });

  it('has readings that are dates, and no more than two, in any text', () => {
    const pieces = [
      '1',
      '3',
      '04',
      '22',
      '2026',
      '/',
      '.',
      '-',
      ' ',
      ', ',
      'Nov',
      'May',
      'Sun',
      '10:15',
      'PM',
      'GMT',
      '+01:00',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map(some => some.join(''));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), text => {
        const readings = isoReadings(text);
        expect(readings.length).toBeLessThanOrEqual(2);
        for (const reading of readings) expect(readDatetime(reading)).toBeInstanceOf(Date);
      }),
      { numRuns: extent(200, 1_000) },
    );
  });
});

it.each([
  ['11/22/2026', '11/22/2026 is not read as a date. Write 2026-11-22.'],
  ['03/04/2026', '03/04/2026 is not read as a date. Write 2026-03-04 or 2026-04-03.'],
  ['2026-11-22', undefined],
  ['basic', undefined],
  [11, undefined],
  [null, undefined],
])('of %j is said: %s', (value, text) => {
  expect(unreadDateText(value)).toBe(text);
});
