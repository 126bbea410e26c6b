import { describe, expect, it } from 'vitest';
import { readSubscribed, readSuppression } from '#shared/import-cells.ts';
import {
  CheckedRows,
  ImportRows,
  ImportSample,
  isSuppressing,
  memberImportRoutes,
  NewImport,
} from '#shared/member-import.ts';
import { faultsIn } from '#test/support/faults.ts';

const EMAIL = { position: 0, name: 'Email', to: 'email' };
const column = (fields: object) => ({ columns: [EMAIL, { position: 1, name: 'Ends', ...fields }] });
const key = (key: string) => column({ to: 'metadata', key });
const metadata = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ position: at + 1, name: '', to: 'metadata', key: `k${at}` }));
const file = {
  file_name: 'people.csv',
  size: 1,
  fingerprint: '0123456789abcdef'.repeat(4),
  total_rows: 1,
  columns: [EMAIL],
  consent: { source: 'Form' },
};

const CONSENT = 'Say how these people agreed to get your emails';
const HEX = 'fingerprint must be 64 hexadecimal digits';
const POSITION = 'position must be a whole number from 0 to 999';
const NO_EMAIL = 'Choose the column that contains the email addresses';
const subscribing = { to: 'is_subscribed' };

describe('an import', () => {
  it.each<[object, Record<string, string>]>([
    [{ file_name: 7 }, { file_name: 'The name of the file is required' }],
    [{ file_name: '\u202e\n ' }, { file_name: 'The name of the file is required' }],
    [{ file_name: 'x'.repeat(256) }, { file_name: 'The name of the file must be at most 255 characters' }],
    [{ size: 0 }, { size: 'size must be a whole number from 1 to 104857600' }],
    [{ size: 1.5 }, { size: 'size must be a whole number from 1 to 104857600' }],
    [{ size: 100 * 1024 * 1024 + 1 }, { size: 'A file can have at most 100 MB' }],
    [{ fingerprint: 'A'.repeat(64) }, { fingerprint: HEX }],
    [{ fingerprint: 'a'.repeat(65) }, { fingerprint: HEX }],
    [{ fingerprint: `${'a'.repeat(63)}g` }, { fingerprint: HEX }],
    [{ total_rows: 0 }, { total_rows: 'total_rows must be a whole number from 1 to 500000' }],
    [{ total_rows: 500_001 }, { total_rows: 'A file can have at most 500000 rows' }],
    [{ consent: null }, { consent: CONSENT }],
    [{ consent: undefined }, { consent: CONSENT }],
    [{ consent: null, as: 'unsubscribed', ...column(subscribing) }, { consent: CONSENT }],
    [{ consent: {} }, { 'consent.source': CONSENT }],
    [{ consent: { source: '\n' } }, { 'consent.source': CONSENT }],
    [
      { consent: { source: 'x'.repeat(201) } },
      { 'consent.source': 'The source of consent must be at most 200 characters' },
    ],
    [
      { consent: { source: 'Form', date: '31.01.2030' } },
      { 'consent.date': 'Enter a date such as 2026-01-31' },
    ],
    [
      { consent: { source: 'Form', date: '2030-01-31T00:00' } },
      { 'consent.date': 'Enter a date such as 2026-01-31' },
    ],
    [{ mode: 'replace' }, { mode: 'mode must be update or skip' }],
    [{ as: 'member' }, { as: 'as must be one of: subscribed, unsubscribed, bounce, complaint' }],
    [{ start_nothing: 1 }, { start_nothing: 'start_nothing must be true or false' }],
    [{ columns: {} }, { columns: 'columns must be a list of columns' }],
    [{ columns: [] }, { columns: NO_EMAIL }],
    [{ columns: [{ ...EMAIL, to: 'metadata', key: 'email' }] }, { columns: NO_EMAIL }],
    [{ columns: [EMAIL, { ...EMAIL, position: 1 }] }, { columns: 'Only one column can be email' }],
    [
      { columns: [...column(subscribing).columns, { position: 2, name: '', ...subscribing }] },
      { columns: 'Only one column can be is_subscribed' },
    ],
    [
      { columns: [EMAIL, ...[1, 2].map(position => ({ position, name: '', to: 'suppression' }))] },
      { columns: 'Only one column can be suppression' },
    ],
    [{ columns: [EMAIL, ...metadata(51)] }, { columns: 'At most 50 columns can be imported as metadata' }],
    [{ columns: [EMAIL, ...metadata(1), ...metadata(1)] }, { columns: 'Two columns are imported as k0' }],
    [
      { columns: [EMAIL, ...[1, 2].map(position => ({ position, name: '', to: 'metadata' }))] },
      { columns: 'Two columns are imported as a key without a name' },
    ],
    [column({ to: 'metadata' }), { columns: 'A column of metadata needs a key' }],
    [key('a/b'), { columns: expect.stringMatching(/^a\/b: A key must consist of letters/) }],
    [key('email'), { columns: 'email cannot be a key of metadata' }],
    [key('is_subscribed'), { columns: 'is_subscribed cannot be a key of metadata' }],
    [{ columns: [{ ...EMAIL, position: -1 }] }, { 'columns.0.position': POSITION }],
    [{ columns: [{ ...EMAIL, position: 1000 }] }, { 'columns.0.position': POSITION }],
    [{ columns: [{ ...EMAIL, name: 7 }] }, { 'columns.0.name': 'The name of a column must be text' }],
    [
      { columns: [{ ...EMAIL, name: 'x'.repeat(201) }] },
      { 'columns.0.name': 'The name of a column must be at most 200 characters' },
    ],
    [
      column({ to: 'name' }),
      { 'columns.1.to': 'A column must be one of: email, is_subscribed, suppression, metadata' },
    ],
    [
      column({ to: 'metadata', key: 'ends', dates: 'iso' }),
      { 'columns.1.dates': 'dates must be one of: month_first, day_first' },
    ],
  ])('with %j is refused', (fields, faults) => {
    expect(faultsIn(NewImport, { ...file, ...fields })).toEqual(faults);
  });

  it('updates members, subscribes them and starts what is due, unless the call says otherwise', () => {
    expect(NewImport.parse(file)).toEqual({
      ...file,
      mode: 'update',
      as: 'subscribed',
      start_nothing: false,
      consent: { source: 'Form', date: null },
    });
  });

  it.each<[object, object?]>([
    [
      { file_name: ' a\u0000\r\nb\u2028c ', size: 100 * 1024 * 1024 },
      { file_name: 'a b c', size: 104_857_600 },
    ],
    [{ file_name: 'x'.repeat(255), total_rows: 500_000 }],
    [{ consent: { source: 'https://example.com/form', date: '2030-01-31' } }],
    [{ consent: { source: 'x'.repeat(200), date: null } }],
    [{ as: 'unsubscribed', consent: null }],
    [{ as: 'bounce', consent: null, mode: 'skip', start_nothing: true }],
    [{ columns: [{ ...EMAIL, position: 999, name: 'x'.repeat(200) }, ...metadata(50)] }],
    [column({ to: 'metadata', key: 'ends', dates: 'day_first' })],
    [column(subscribing)],
    [column({ to: 'suppression' })],
  ])('%j is taken', (fields, taken = fields) => {
    expect(NewImport.parse({ ...file, ...fields })).toMatchObject(taken);
  });

  it.each([
    ['subscribed', 'email', false],
    ['unsubscribed', 'is_subscribed', false],
    ['bounce', 'email', true],
    ['complaint', 'email', true],
    ['subscribed', 'suppression', true],
  ] as const)('of people who are %s, with a column for %s, suppresses some: %s', (as, to, suppresses) => {
    expect(isSuppressing(as, [{ to: 'email' }, { to }])).toBe(suppresses);
  });
});

const rows = (count: number) => Array.from({ length: count }, () => ['ann@example.com']);
const members = memberImportRoutes['GET /api/email-lists/{list}/imports/{memberImport}/members'].query;
const change = memberImportRoutes['PUT /api/email-lists/{list}/imports/{memberImport}'].body;
const FROM = 'from must be a whole number from 1 to 500000';
const CURSOR = 'This cursor is not valid';

it.each([
  [ImportRows, { from: 1, rows: {} }, { rows: 'rows must be a list of rows' }],
  [ImportRows, { from: 1, rows: [] }, { rows: 'Send at least one row' }],
  [ImportRows, { from: 0, rows: rows(501) }, { from: FROM, rows: 'At most 500 rows can be sent per call' }],
  [ImportRows, { from: 500_001, rows: rows(1) }, { from: FROM }],
  [ImportRows, { from: 500_000, rows: rows(500) }, {}],
  [
    CheckedRows,
    { columns: [], from: 1.5, rows: [] },
    { columns: NO_EMAIL, from: FROM, rows: 'Send at least one row' },
  ],
  [
    ImportSample,
    { columns: [EMAIL], rows: rows(1), of: 0 },
    { of: 'of must be a whole number from 1 to 500000' },
  ],
  [ImportSample, { columns: [EMAIL], rows: rows(1), of: 500_000 }, {}],
  [change, { state: 'done' }, { state: 'state can only be set to cancelled' }],
  [change, { state: 'cancelled' }, {}],
  [members, {}, {}],
  [members, { cursor: '1234567.123' }, {}],
  [members, { cursor: 7 }, { cursor: CURSOR }],
  [members, { cursor: '12345678.1' }, { cursor: CURSOR }],
  [members, { cursor: '1.1234' }, { cursor: CURSOR }],
  [members, { cursor: '1x1' }, { cursor: CURSOR }],
  [members, { cursor: 'x1.1' }, { cursor: CURSOR }],
])('%#: what is sent for an import, %j, has the faults %j', (schema, sent, faults) => {
  expect(faultsIn(schema, sent)).toEqual(faults);
});

it.each([
  [true, ['true', ' YES ', 'y', '1', 'Subscribed', 'active']],
  [false, ['false', 'No', 'n', '0', 'unsubscribed', 'inactive']],
  [undefined, ['', '  ']],
  ['invalid', ['maybe', '2', 'undefined']],
])('a cell about the subscription is %s if it has one of %j', (read, cells) => {
  expect(cells.map(readSubscribed)).toEqual(cells.map(() => read));
});

it.each([
  ['complaint', ['complaint', 'Complained ', 'spam']],
  ['bounce', [' bounce', 'BOUNCED']],
  [undefined, ['', ' ']],
  ['invalid', ['yes', 'toString']],
])('a cell about the suppression is %s if it has one of %j', (read, cells) => {
  expect(cells.map(readSuppression)).toEqual(cells.map(() => read));
});
