import { expect, it } from 'vitest';
import { csvOf } from '#shared/csv.ts';
import type { ImportColumn } from '#shared/member-import.ts';
import { isoDate, withUsualKeys } from '#web/features/member-import/reading/columns.ts';
import { readFile } from '#web/features/member-import/reading/csv.ts';
import { Pass } from '#web/features/member-import/reading/pass.ts';
import { rowSample } from '#web/features/member-import/use-import.ts';
import { randomFrom } from '../simulation/random.ts';
import { rowsIn } from '../support/csv-cells.ts';

const fileOf = (...parts: (string | Uint8Array)[]) =>
  Object.assign(new Blob(parts as BlobPart[]), { name: 'people.csv' });
const read = (...parts: (string | Uint8Array)[]) => readFile(fileOf(...parts), () => {});
const chosen = ({ columns }: Awaited<ReturnType<typeof read>>): ImportColumn[] =>
  columns.flatMap(({ position, name, to, key }) =>
    to === 'ignored' ? [] : [{ position, name, to, ...(key && { key }) }],
  );
async function sent(...parts: (string | Uint8Array)[]) {
  const file = fileOf(...parts);
  const known = await readFile(file, () => {});
  const pass = new Pass(file, known, chosen(known));
  const rows = [];
  for (let from = 1; ; ) {
    const batch = await pass.next(from);
    if (!batch) return rows;
    rows.push(...batch.rows);
    from += batch.rows.length;
  }
}
const latin = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (const [at, code] of [0xfeff, ...[...text].map(letter => letter.charCodeAt(0))].entries()) {
    view.setUint16(2 * at, code, isLittle);
  }
  return bytes;
};

const PEOPLE = 'email,name\nann@example.com,Ann\nben@example.com,Bén\n';
const ROWS = [
  ['ann@example.com', 'Ann'],
  ['ben@example.com', 'Bén'],
];

it.each([
  ['with commas', [PEOPLE]],
  ['with semicolons', [PEOPLE.replaceAll(',', ';')]],
  [
    'with a separator that only the header tells',
    ['email|name;x\n', ROWS.map(row => row.join('|')).join('\n')],
  ],
  ['with tabs', [PEOPLE.replaceAll(',', '\t')]],
  ['with pipes', [PEOPLE.replaceAll(',', '|')]],
  ['with ends of lines of Windows', [PEOPLE.replaceAll('\n', '\r\n')]],
  ['with ends of lines of an old Mac', [PEOPLE.replaceAll('\n', '\r')]],
  ['with different ends of lines', [PEOPLE.replace('\n', '\r\n')]],
  ['without a line end at the end', [PEOPLE.trimEnd()]],
  ['with a byte order mark', ['\ufeff', PEOPLE]],
  ['in windows-1252', [latin(PEOPLE)]],
  ['in UTF-16, little endian', [utf16(PEOPLE, true)]],
  ['in UTF-16, big endian', [utf16(PEOPLE, false)]],
  ['with empty lines', [PEOPLE.replaceAll('\n', '\n\n ,\n')]],
  [
    'with everything in quotation marks',
    ['"email","name"\r\n"ann@example.com","Ann"\r\n"ben@example.com","Bén"'],
  ],
  ['with spaces of any kind around', [PEOPLE.replaceAll(',', '\u00a0, \u200b')]],
])('a file is read %s', async (_, parts) => {
  expect(await sent(...parts)).toEqual(ROWS);
});

it('a file is read with quotation marks, separators and line ends within a cell', async () => {
  const text = 'email,note\r\nann@example.com,"says ""hi"",\r\nthen; leaves"\r\nben@example.com,5" pipe\r\n';
  expect(await sent(text)).toEqual([
    ['ann@example.com', 'says "hi",\r\nthen; leaves'],
    ['ben@example.com', '5" pipe'],
  ]);
});

it('a file is read without a cut within a character, a line end or a quoted cell, wherever a part of it ends', async () => {
  const row = (at: number) => [`person${at}@example.com`, `${'é€😀'.repeat(at % 7)}\r\n"${at}"`];
  const rows = Array.from({ length: 20_000 }, (_, at) => row(at));
  const text = csvOf([['email', 'note'], ...rows]);
  expect(new Blob([text]).size).toBeGreaterThan(1024 * 1024);
  const found = await sent(text);
  expect(found.length).toBe(rows.length);
  expect(found.findIndex((cells, at) => cells[1] !== rows[at]?.[1])).toBe(-1);
});

it('a file is read as it was exported, formula characters included', async () => {
  const notes = ['=1+1', '+49 30', '-x', '@home', "'quoted'", '-5', 'a,b'];
  const rows = notes.map((note, at) => [`p${at}@example.com`, 'true', '', '2030-01-01T00:00:00.000Z', note]);
  const text = `\ufeff${csvOf([['email', 'is_subscribed', 'suppression', 'created_at', 'note'], ...rows])}`;
  const targets = (await read(text)).columns.map(({ to }) => to);
  expect(targets.join()).toBe('email,is_subscribed,suppression,ignored,metadata');
  expect((await sent(text)).map(cells => cells.at(-1))).toEqual(notes);
});

it('a file is read without a header, where the first row is a row like the others', async () => {
  const known = await read('ann@example.com,Ann\nben@example.com,Ben');
  expect(known).toMatchObject({
    hasHeader: false,
    rows: 2,
    columns: [{ name: 'Column 1' }, { name: 'Column 2' }],
  });
  expect(await sent('ann@example.com')).toEqual([['ann@example.com']]);
});

it('a file is read with rows that are too short, or so long that there is a column more', async () => {
  expect(await sent('email,a,b\nann@example.com\nben@example.com,1,2,3\n')).toEqual([
    ['ann@example.com', '', '', ''],
    ['ben@example.com', '1', '2', '3'],
  ]);
});

it('a file of 300 columns is read, and 50 become metadata', async () => {
  const names = Array.from({ length: 299 }, (_, at) => `Field ${at}`);
  const { columns } = await read(`email,${names.join()}\nann@example.com,${names.join()}\n`);
  expect(columns.length).toBe(300);
  expect(columns.filter(({ to }) => to === 'metadata').length).toBe(50);
});

it('a file is read with names of columns that are twice there, empty or no keys of metadata', async () => {
  const { columns } = await read('E-Mail;Näme;Näme;;__proto__;Größe (cm)\nann@example.com;1;2;3;4;5');
  const keys = columns.map(({ key, to }) => (to === 'metadata' ? key : to));
  expect(keys).toEqual(['email', 'Name', 'Name 2', 'Column 4', '__proto__ 2', 'Gro e cm']);
});

it('keys are proposed as placeholders are written, unless the list or another column has them', async () => {
  const names = 'email,First Name,CRM ID,plan,signedUp,Last Name,last_name,Trial Ends,Is Subscribed';
  const { columns } = await read(`${names}\nann@example.com,1,2,3,4,5,6,7,8`);
  expect(withUsualKeys(columns, ['Trial Ends']).map(({ key }) => key)).toEqual(
    ',first_name,crm_id,plan,signedUp,Last Name,last_name,Trial Ends,Is Subscribed'.split(','),
  );
  const { columns: alike } = await read('email,First Name,First name\nann@example.com,1,2');
  expect(withUsualKeys(alike, []).map(({ key }) => key)).toEqual(['', 'first_name', 'First name']);
});

it('the email column of a file is found by its content where no column is called so', async () => {
  const { columns } = await read('name,kontakt\nAnn,ann@example.com\n');
  expect(columns.map(({ to }) => to)).toEqual(['metadata', 'email']);
  const named = await read('email,kontakt\nyes,ann@example.com\n');
  expect(named.columns.map(({ to }) => to)).toEqual(['metadata', 'email']);
  expect([named.preview, named.columns[0]?.values]).toEqual([[['yes', 'ann@example.com']], ['yes']]);
  const targets = async (text: string) => (await read(text)).columns.map(({ to }) => to);
  expect(await targets('name, E-Mail \nAnn,nobody')).toEqual(['metadata', 'email']);
  expect(await targets('name,city\nAnn,Rome')).toEqual(['metadata', 'metadata']);
  expect(await targets('email, Is_Subscribed\nann@example.com,true')).toEqual(['email', 'is_subscribed']);
});

it('a column is described by three of its values, and its name is cut where a key or a name is too long', async () => {
  const long = 'x'.repeat(250);
  const rows = ['pro', 'pro', 'free', 'team', 'none', 'pro'].map((plan, at) => `p${at}@example.com,${plan}`);
  const { columns, preview } = await read(`email,"Plan\n now",${long},${long}\n${rows.join('\n')}`);
  expect(columns.map(({ name }) => name)).toEqual(['email', 'Plan now', 'x'.repeat(200), 'x'.repeat(200)]);
  expect(columns.map(({ key }) => key)).toEqual(['', 'Plan now', 'x'.repeat(64), `${'x'.repeat(59)} 2`]);
  expect(columns[1]?.values).toEqual(['pro', 'free', 'team']);
  expect(preview).toHaveLength(5);
});

it('a file is read up to its limits, and says how much of it is read', async () => {
  const shares: number[] = [];
  const file = fileOf('email\n', 'a\n'.repeat(500_000));
  expect(await readFile(file, share => shares.push(share))).toMatchObject({ rows: 500_000 });
  expect([shares[0], shares.at(-1)]).toEqual([0.5, 1]);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  const { columns } = await read(`email${','.repeat(998)},x\nann@example.com\n`);
  expect(columns.length).toBe(1_000);
});

it('a file is read with long cells, some rows at a time, and no character is cut', async () => {
  const long = `${'x'.repeat(1_099)}😀`;
  const text = `email,note\n${Array.from({ length: 500 }, (_, at) => `p${at}@example.com,${long}`).join('\n')}`;
  const file = fileOf(text);
  const known = await readFile(file, () => {});
  const first = await new Pass(file, known, chosen(known)).next(1);
  expect(JSON.stringify(first).length).toBeLessThan(310_000);
  const rows = await sent(text);
  expect(rows.length).toBe(500);
  expect(rows.every(cells => (cells[1] ?? '').isWellFormed())).toBe(true);
});

it('a file is known by all of its content', async () => {
  const rows = Array.from({ length: 5 }, () => `a@example.com,${'x'.repeat(900_000)}\n`);
  const ending = (end: string) => read('email,note\n', ...rows, end);
  const { fingerprint } = await ending('1');
  expect((await ending('1')).fingerprint).toBe(fingerprint);
  expect((await ending('2')).fingerprint).not.toBe(fingerprint);
});

it('a file is read with each address once', async () => {
  const rows = await sent('email\nann@example.com\nANN@example.com\nben@example.com\nno\nno');
  expect(rows).toEqual([['ann@example.com'], 'twice', ['ben@example.com'], ['no'], ['no']]);
});

it('an import that is resumed knows the addresses of the rows before', async () => {
  const file = fileOf('email\nann@example.com\nben@example.com\nANN@example.com\ncas@example.com');
  const known = await readFile(file, () => {});
  const batch = await new Pass(file, known, chosen(known)).next(3);
  expect(batch).toEqual({ from: 3, rows: ['twice', ['cas@example.com']] });
});

it.each([
  ['that is empty', [''], 'is empty'],
  ['with empty lines alone', ['\n\n,,\n'], 'no rows'],
  ['with a header alone', ['email,name\n'], 'no rows below it'],
  ['of Excel', [Uint8Array.of(0x50, 0x4b, 3, 4, 0)], 'Save the table as CSV'],
  ['that is no text', [Uint8Array.of(1, 0, 2)], 'not a text file'],
  [
    'with a quotation mark that does not end',
    ['email\n"ann@example.com\n', 'x'.repeat(2_500_000)],
    'After row 1',
  ],
  ['with too many rows', ['email\n', 'a\n'.repeat(500_001)], 'more than 500,000 rows'],
  ['with too many columns', [`email${','.repeat(1_500)}x\n`, 'a@example.com\n'], '1501 columns'],
])('a file is refused %s, with the reason', async (_, parts, reason) => {
  await expect(read(...parts)).rejects.toThrow(reason);
});

it('a file of 200 MB is refused without being read', async () => {
  const file = Object.assign(new Blob([]), { name: 'large.csv' });
  Object.defineProperty(file, 'size', { value: 200 * 1024 * 1024 });
  await expect(readFile(file, () => {})).rejects.toThrow('has 200 MB, and at most 100 MB');
});

const datesOf = async (...values: string[]) =>
  (await read(['email;since', ...values.map((value, at) => `p${at}@example.com;${value}`)].join('\n')))
    .columns[1]?.dates;

it('a column of dates is found, with the orders in which it can be read', async () => {
  expect(await datesOf('2030-01-31', '2030-02-01T10:00:00Z')).toMatchObject({ iso: 2, others: 0 });
  expect((await datesOf('01/02/2030', '03/04/2030'))?.orders).toEqual(['month_first', 'day_first']);
  expect((await datesOf('01/02/2030', '31/12/2030'))?.orders).toEqual(['day_first']);
  expect((await datesOf('31.12.2030', '01.02.2030'))?.orders).toEqual(['day_first']);
  expect(await datesOf('2030-01-01', 'Jan 5, 2030')).toMatchObject({
    example: 'Jan 5, 2030',
    orders: ['month_first', 'day_first'],
  });
  expect(await datesOf('100', '12/2030', 'x')).toBeUndefined();
  expect(await datesOf('01/02/2030', 'x', 'y')).toBeUndefined();
});

it('dates that could not be read are counted by column, with the first of them', async () => {
  const dates = [
    '2030-01-31',
    '31.02.2026',
    '',
    'n/a',
    '31.02.2026',
    '2030-02-30',
    '2030-01-01',
    '01.03.2030',
    '2030-01-02',
  ];
  const long = `soon ${'x'.repeat(100)}`;
  const rows = [...dates, long, 'later', '2030-01-04', '2030-01-05', '2030-01-06'];
  const file = fileOf(
    [
      'email;Since;note;Born;Left',
      ...rows.map((date, at) => `p${at}@example.com;${date};n/a;2000-01-01;${date}`),
    ].join('\n'),
  );
  const known = await readFile(file, () => {});
  const columns = chosen(known).map(column => ({
    ...column,
    dates: 'day_first' as const,
    ...(column.name === 'Since' && { key: 'started' }),
    ...(column.name === 'Left' && { to: 'suppression' as const }),
  }));
  const pass = new Pass(file, known, columns);
  await pass.next(1);
  const samples = ['31.02.2026', 'n/a', long.slice(0, 80)];
  expect(pass.unreadDates()).toEqual([{ column: 'started', count: 5, samples }]);
});

it.each([
  ['01/02/2030', 'month_first', '2030-01-02'],
  ['01/02/2030', 'day_first', '2030-02-01'],
  ['31/12/2030', 'month_first', undefined],
  ['1.2.2030 14:30', 'day_first', '2030-02-01T14:30'],
  ['5 January 2030', 'month_first', '2030-01-05'],
  ['2030-01-05', 'day_first', undefined],
] as const)('the date %s, read with the %s, is %s', (text, order, iso) => {
  expect(isoDate(text, order)).toBe(iso);
});

it('rows that were refused can be saved with the reasons, also those of an earlier part of the import', async () => {
  const long = 'y'.repeat(90);
  const file = fileOf(`email,name\nno,=Ann\nben@example.com,Ben\nnope,Cay\n${long},Dan`);
  const known = await readFile(file, () => {});
  const errors = (column: string, reason: string) => [{ column, reason }];
  const pass = new Pass(file, known, chosen(known), [{ row: 1, errors: errors('email', 'No address') }]);
  const rows = `ben@example.com,Ben nope,Cay ${long},Dan`.split(' ').map(row => row.split(','));
  expect(await pass.next(2)).toEqual({ from: 2, rows });
  expect(pass.refuse([{ row: 3, errors: errors('email', 'No, none') }])).toEqual([
    { row: 3, column: 'email', reason: 'No, none', value: 'nope' },
  ]);
  expect(pass.refuse([{ row: 4, errors: [...errors('', 'Odd'), ...errors('email', 'No')] }])).toEqual([
    { row: 4, column: '', reason: 'Odd', value: '' },
    { row: 4, column: 'email', reason: 'No', value: long.slice(0, 80) },
  ]);
  expect(await pass.next(5)).toBeUndefined();
  await expect(pass.next(2)).rejects.toThrow('Row 2 was read before');
  expect(rowsIn((await pass.refusedFile().text()).replace('\ufeff', ''))).toEqual([
    ['email', 'name', 'Import error'],
    ['no', "'=Ann", 'email: No address'],
    ['nope', 'Cay', 'email: No, none'],
    [long, 'Dan', 'Odd; email: No'],
  ]);
});

it('a sample has rows that change something, as many as fit a call, each with the same chance', () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => [`p${at}@example.com`]);
  const statuses = ['created', 'updated', 'unchanged', 'rejected'] as const;
  const results = rows.map((_, at) => ({ row: at + 8, status: statuses[at % 4] ?? 'rejected' }));
  const random = randomFrom(7);
  const times = new Map<string, number>();
  for (let draw = 0; draw < 400; draw++) {
    const sample = rowSample(() => random.int(1e9) / 1e9);
    for (const from of [0, 1_000]) {
      sample.add(from + 8, rows.slice(from, from + 1_000), results.slice(from, from + 1_000));
    }
    const drawn = sample.drawn();
    expect([drawn.of, new Set(drawn.rows).size]).toEqual([1_000, 500]);
    for (const [email = ''] of drawn.rows) times.set(email, (times.get(email) ?? 0) + 1);
  }
  expect([...times.keys()].filter(email => Number.parseInt(email.slice(1), 10) % 4 > 1)).toEqual([]);
  // Each is in half of the samples, within five standard deviations.
  expect(times.size).toBe(1_000);
  for (const count of times.values()) expect(Math.abs(count - 200)).toBeLessThan(50);
  const long = rowSample();
  long.add(
    1,
    Array.from({ length: 3 }, () => ['x'.repeat(120_000)]),
    results.map((one, at) => ({ ...one, status: 'created', row: at + 1 })),
  );
  expect(long.drawn()).toMatchObject({ rows: { length: 2 }, of: 3 });
});
