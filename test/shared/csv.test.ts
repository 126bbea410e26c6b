import { expect, it } from 'vitest';
import { csvOf } from '../../shared/csv.ts';

it('rows are lines of cells, quoted where that is needed', () => {
  expect(
    csvOf([
      ['Name', 'Sent'],
      ['Hello, "you"', 3],
      ['two\nlines', 0.25],
      ['', -1],
    ]),
  ).toBe('Name,Sent\r\n"Hello, ""you""",3\r\n"two\nlines",0.25\r\n,-1\r\n');
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['-12.50', '-12.50'],
  ['a=1', 'a=1'],
])('%j is no formula', (cell, written) => {
  expect(csvOf([[cell]])).toBe(`${written}\r\n`);
});
