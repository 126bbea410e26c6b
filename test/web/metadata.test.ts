import { expect, it } from 'vitest';
import { MOST_KEYS } from '#shared/metadata.ts';
import {
  entriesIn,
  formatLocalValue,
  formatValue,
  hintFor,
  isLong,
  parseEdited,
  parseValue,
} from '#web/entities/list-member/metadata-value.ts';
import { entryForm } from '#web/features/list-member/metadata-dialog.tsx';
import { MetadataRows } from '#web/features/list-member/new-list-member-form.tsx';
import { formatMoment } from '#web/lib/format.ts';

it.each([
  ['42', 42],
  ['-0.5', -0.5],
  ['true', true],
  ['false', false],
  [' team ', 'team'],
  ['007', '007'],
  ['+358401234567', '+358401234567'],
  ['1e3', '1e3'],
  ['12345678901234567890', '12345678901234567890'],
  ['Infinity', 'Infinity'],
  ['True', 'True'],
  ['', ''],
])('the input %j is stored as %j', (typed, kept) => {
  expect(parseValue(typed)).toBe(kept);
});

it.each([
  ['2026-03-01', 'Mar 1, 2026'],
  ['2026-03-01T23:30:00-02:00', 'Mar 2, 2026, 01:30 UTC'],
  ['2026-02-30', '2026-02-30'],
  [12.5, '12.5'],
  [true, 'true'],
])('the value %j is shown as %j', (value, shown) => {
  expect(formatValue(value)).toBe(shown);
});

it.each([
  ['12.5', '12.5', '12.5'],
  ['true', 'true', 'true'],
  ['  padded ', '  padded ', '  padded '],
  ['one\ntwo', 'one\r\ntwo', 'one\r\ntwo'],
  ['13', '12.5', '13'],
  [' team ', 'solo', 'team'],
  ['  padded more', '  padded ', '  padded more'],
  ['  ', ' padded ', ''],
  ['13', 12.5, 13],
  ['many', 12.5, 'many'],
  ['false', true, false],
])('the input %j for the stored %j is stored as %j', (typed, stored, kept) => {
  expect(parseEdited(typed, stored)).toBe(kept);
});

it('values with line breaks and long ones are edited in a textarea', () => {
  expect(['one\ntwo', 'x'.repeat(81), 'team', 12.5].map(isLong)).toEqual([true, true, false, false]);
});

it('a time in milliseconds gets a hint', () => {
  expect(hintFor(1_793_232_000_000)).toContain('milliseconds');
  expect(hintFor(17)).toBeUndefined();
});

it('a date without a time gets a hint when it starts, another one gets none', () => {
  const local = formatMoment('2026-11-25');
  expect(hintFor('2026-11-25')).toBe(`Starts at 00:00 UTC: ${local} in your time zone`);
  expect(['2026-11-25T10:00:00Z', '2026-02-30', '11/25/2026', 20261125].map(hintFor)).toEqual(
    Array(4).fill(undefined),
  );
});

it.each([
  ['2026-03-01', 'Mar 1, 2026'],
  ['2026-03-01T23:30:00-02:00', formatMoment('2026-03-02T01:30:00Z')],
  ['2026-03-01T00:00:00Z', formatMoment('2026-03-01T00:00:00Z')],
  ['2026-02-30', '2026-02-30'],
  [12.5, '12.5'],
])('beside dates of the reader’s time zone, the value %j is shown as %j', (value, shown) => {
  expect(formatLocalValue(value)).toBe(shown);
});

it('metadata is read in either form', () => {
  const entries = [{ key: 'plan', type: 'string', value: 'team' }] as const;
  expect(entriesIn([...entries])).toEqual(entries);
  expect(entriesIn({ plan: 'team' })).toEqual(entries);
});

const faultsOf = (rows: { key: string; value: string }[]) =>
  MetadataRows.safeParse(rows).error?.issues.map(({ path, message }) => [path.join('.'), message]);

it('rows become metadata; empty ones are ignored', () => {
  const rows = [
    { key: ' plan ', value: 'team' },
    { key: '', value: ' ' },
    { key: 'orders', value: '3' },
  ];
  expect(MetadataRows.parse(rows)).toEqual({ plan: 'team', orders: 3 });
});

it('every error of a row is at its field', () => {
  expect(
    faultsOf([
      { key: '', value: 'x' },
      { key: 'plan?', value: 'x' },
      { key: 'plan', value: '' },
      { key: 'date', value: '2026-02-30' },
      { key: 'date', value: '1' },
    ]),
  ).toEqual([
    ['0.key', 'Key is required'],
    ['1.key', expect.stringContaining('letters')],
    ['2.value', 'Value is required'],
    ['3.value', 'This date does not exist'],
    ['4.key', 'This key is there already'],
  ]);
});

it('too many rows give one error', () => {
  const rows = Array.from({ length: MOST_KEYS + 1 }, (_, index) => ({ key: `k${index}`, value: 'x' }));
  expect(faultsOf(rows)).toEqual([
    [`${MOST_KEYS}.value`, `At most ${MOST_KEYS} keys of metadata can be kept`],
  ]);
});

it('an entry may keep its own key, but not take another one’s', () => {
  const metadata = { plan: 'team', orders: 3 };
  const entry = { key: 'plan', value: 'solo' };
  expect(entryForm(metadata, 'plan').parse(entry)).toEqual(entry);
  expect(entryForm(metadata).safeParse(entry).error?.issues[0]?.path).toEqual(['key']);
});
