import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvOf, plainOf } from '#shared/csv.ts';
import { extent } from '#test/support/prove.ts';
import { rowsIn } from '../support/csv-cells.ts';

it('rows are lines of quoted cells', () => {
  expect(
    csvOf([
      ['Name', 'Sent'],
      ['Hello, "you"', 3],
      ['two\nlines', 0.25],
      ['', -1],
    ]),
  ).toBe('"Name","Sent"\r\n"Hello, ""you""","3"\r\n"two\nlines","0.25"\r\n"","-1"\r\n');
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\n=1', "'\n=1"],
  ['=HYPERLINK("x","y")', `'=HYPERLINK(""x"",""y"")`],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['x;=1+1', "'x;=1+1"],
  ['x\t@SUM(A1)', "'x\t@SUM(A1)"],
  ['x | +1', "'x | +1"],
  ['well-known; 3 + 4', 'well-known; 3 + 4'],
  ["'=1", "''=1"],
  ["''+1", "'''+1"],
  ["'tis", "'tis"],
  ['-12.50', '-12.50'],
  ['-1e-7', '-1e-7'],
  ['a=1', 'a=1'],
])('%j is no formula', (cell, written) => {
  expect(csvOf([[cell]])).toBe(`"${written}"\r\n`);
});

const cellsIn = (csv: string): string[] => rowsIn(csv)[0] ?? [];

const hostile = fc
  .array(
    fc.constantFrom(
      "'",
      '=',
      '+',
      '-',
      '@',
      '＝',
      '|',
      '\t',
      '\r',
      '\n',
      '"',
      ',',
      ';',
      '1',
      'a',
      'e',
      '.',
      ' ',
    ),
  )
  .map(parts => parts.join(''));

it('whatever is written is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.oneof(fc.string(), hostile), { minLength: 1 })), rows => {
      expect(rowsIn(csvOf(rows)).map(row => row.map(plainOf))).toEqual(rows);
    }),
    { numRuns: extent(300, 2_000), seed: 1 },
  );
});

it('numbers are written as numbers, and read back as the same ones', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
      const [cell = ''] = cellsIn(csvOf([[number]]));
      expect(cell).toBe(String(number));
      expect(plainOf(cell)).toBe(cell);
    }),
  );
});
