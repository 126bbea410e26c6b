import { beforeEach, describe, expect, it } from 'vitest';
import * as rate from '#core/account/call-budgets.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import type * as memberImportStore from '#core/list/member-import/member-import.store.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as activity from '#core/person/activity.ts';
import * as claims from '#core/recipient/claim.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { PROGRAM_RATE } from '#shared/limits.ts';
import { ImportCounts, NewImport } from '#shared/member-import.ts';
import { createList, found, newList } from '#test/support/core-list.ts';
import { crashing, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, failingOnce, INSERT, intercepted, interceptedOnce } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
let later = now;
const ANN = 'ann@example.com';
const BEN = 'ben@example.com';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
  later = now;
});

const needs = (on: Table = table) => ({
  table: on,
  now: later,
  hasTimeLeft: () => true,
  role: 'OWNER' as const,
});
/** No two calls share one window of the rate, nor what is stored in them an instant. */
const pass = () => {
  later = new Date(later.getTime() + 10_000);
};

const COLUMNS = [
  { position: 0, name: 'Address', to: 'email' },
  { position: 1, name: 'Plan', to: 'metadata', key: 'plan' },
  { position: 2, name: 'Ends', to: 'metadata', key: 'ends' },
];
const file = (fields: object = {}) =>
  NewImport.parse({
    file_name: 'people.csv',
    size: 100,
    fingerprint: 'f'.repeat(64),
    total_rows: 4,
    columns: COLUMNS,
    consent: { source: 'Sign-up form', date: '2029-12-01' },
    ...fields,
  });

const stored = async (id: string, of = readers): Promise<memberImportStore.StoredImport> => {
  const keys = memberImport.keysOf(of.organization_id, id, { list: of.id });
  return memberImport.found(id, await getAll(table, keys));
};
const create = async (fields: object = {}, of = readers) =>
  stored((await memberImport.create({ ...needs(), user: 'u' }, of, file(fields))).id, of);
const send = async (
  of: Pick<memberImportStore.StoredImport, 'id'>,
  rows: unknown[],
  { from = 1, on = table as Table, to = readers } = {},
) => {
  pass();
  return memberImport.addRows(needs(on), to, await stored(of.id, to), { from, rows });
};
const undo = async (of: Pick<memberImportStore.StoredImport, 'id'>, on: Table = table) => {
  pass();
  return memberImport.undo(needs(on), await stored(of.id));
};
const upsert = (members: object[], to = readers) => {
  pass();
  return upsertStore.upsertAll({ table, now: later }, to, members);
};
const stateOf = (email: string, of = readers) =>
  recipientStore.read(table, recipientKey.keyOf(of.organization_id, email), of.id);
const addresses = async (of = readers) => {
  const { data } = await listMember.page({ table }, await found(table, of.organization_id, of.id), {
    page: 1,
    per_page: 100,
  });
  return data.map(({ email, is_subscribed }) => (is_subscribed ? email : `(${email})`));
};

const ROWS = [
  [ANN, 'basic', '2030-02-01'],
  ['no address', 'basic', ''],
  [BEN, 'pro', '2030-13-01'],
  ['cay@example.com', '', ''],
];
const OUTCOMES = [
  { row: 1, status: 'created' },
  { row: 2, status: 'rejected', errors: [{ column: 'Address', reason: 'Enter a valid email address' }] },
  { row: 3, status: 'rejected', errors: [{ column: 'Ends', reason: 'This date does not exist' }] },
  { row: 4, status: 'created' },
];
const COUNTS = { created: 2, updated: 0, unchanged: 0, skipped: 0, rejected: 2, stays_unsubscribed: 0 };

describe('An import', () => {
  it('stores each row on its own, and says why others are rejected', async () => {
    const of = await create();
    const { import: after, results } = await send(of, ROWS);
    expect(results).toEqual(OUTCOMES);
    expect(after).toMatchObject({ state: 'done', done_rows: 4, counts: COUNTS });
    expect(await addresses()).toEqual([ANN, 'cay@example.com']);
    expect((await stateOf(ANN)).membership?.metadata).toEqual({ plan: 'basic', ends: '2030-02-01' });
    const { data, next_cursor } = await memberImport.errors({ table }, await stored(of.id), undefined);
    expect(data.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Address'],
      [3, 'Ends'],
    ]);
    expect(next_cursor).toBeNull();
  });

  it('is shown as it was created until rows are stored, by the id and the list alone', async () => {
    const fields = { as: 'unsubscribed', consent: null };
    const of = await create(fields);
    const shown = {
      ...file(fields),
      id: expect.stringMatching(/^[0-9a-z]{12}$/),
      email_list_id: readers.id,
      state: 'running',
      done_rows: 0,
      counts: { ...COUNTS, created: 0, rejected: 0 },
      undo: null,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    };
    expect(await memberImport.importsOf({ table }, readers)).toEqual([shown]);
    for (const read of [memberImport.members, memberImport.errors])
      expect(await read({ table }, of, undefined)).toEqual({ data: [], next_cursor: null });

    const keys = memberImport.keysOf(readers.organization_id, of.id, { list: readers.id });
    const beside = { PK: `ORG#${readers.organization_id}`, SK: `LIST#${readers.id}` };
    const items = await getAll(table, [beside, ...keys]);
    expect(items).toHaveLength(2);
    expect(memberImport.shown(memberImport.found(of.id, items))).toEqual(shown);
    expect(() => memberImport.found('other', items)).toThrow('Import not found');
    for (const [id, list] of [
      [of.id, 'x'.repeat(3_000)],
      ['x'.repeat(3_000), readers.id],
    ] as const)
      expect(memberImport.keysOf(readers.organization_id, id, { list })).toEqual([]);
  });

  it('is not created a second time with the same id', async () => {
    const lost = failingOnce(table, 'PutCommand', 'ConditionalCheckFailedException');
    const created = memberImport.create({ ...needs(lost), user: 'u' }, readers, file());
    await expect(created).rejects.toMatchObject({ reason: 'conflict' });
    expect(await memberImport.importsOf({ table }, readers)).toEqual([]);
  });

  it('as suppressed is for those with the right to it alone, from the first check to the last row', async () => {
    const suppressing = { as: 'bounce' } as const;
    const how = { ...file(suppressing), start_nothing: false };
    const of = await create(suppressing);
    const user = { ...needs(), role: 'USER' as const };
    const rows = [[ANN, '', '']];
    for (const act of [
      () => memberImport.create({ ...user, user: 'u' }, readers, file(suppressing)),
      () => memberImport.check(user, readers, { ...how, from: 1, rows }),
      () => memberImport.tryMembers(user, readers, { ...how, rows, of: 1 }),
      () => memberImport.addRows(user, readers, of, { from: 1, rows }),
    ])
      await expect(act()).rejects.toMatchObject({
        reason: 'forbidden',
        message: expect.stringContaining('owner'),
      });
    expect([await addresses(), (await stateOf(ANN)).head?.suppression]).toEqual([[], undefined]);
    const plain = await memberImport.create({ ...user, user: 'u' }, readers, file());
    expect((await memberImport.importsOf({ table }, readers)).map(({ id }) => id).sort()).toEqual(
      [of.id, plain.id].sort(),
    );
  });

  it('costs a few requests, however many rows are new', async () => {
    const of = await create({ total_rows: 100 });
    const sent: string[] = [];
    const counted = intercepted(table, (send, command) => {
      sent.push(command.constructor.name.replace('Command', ''));
      return send();
    });
    const rows = Array.from({ length: 100 }, (_, at) => [`p${at}@example.com`, '', '']);
    await send(of, rows, { on: counted });
    const single = sent.filter(name => !name.startsWith('Batch'));
    expect(single).toEqual(['Update', 'TransactWrite', 'Query', 'TransactWrite', 'Get']);
    expect(sent.length).toBeLessThan(20);
  });

  it('is cancelled while it is running, and keeps what it has stored', async () => {
    const of = await create({ total_rows: 9 });
    await send(of, ROWS);
    const cancel = async () => memberImport.cancel(needs(), await stored(of.id));
    const cancelled = { state: 'cancelled', done_rows: 4, updated_at: later.toISOString() };
    expect(await cancel()).toMatchObject(cancelled);
    pass();
    expect(await cancel()).toMatchObject(cancelled);
    expect(await addresses()).toEqual([ANN, 'cay@example.com']);
    await expect(send(of, [[BEN, '', '2030-02-01']], { from: 5 })).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('was cancelled'),
    });
    await undo(of);
    await expect(cancel()).rejects.toMatchObject({ reason: 'conflict' });
    expect(await stored(of.id)).toMatchObject({ state: 'undone', removed: 2 });
  });

  it.each([
    ['before its rows are stored', 'TransactWriteCommand', []],
    ['while they are', INSERT, [ANN]],
  ])('that is cancelled %s does not count them', async (_, command, added) => {
    const of = await create({ total_rows: 1 });
    const cancelling = beforeFirst(table, command, () => memberImport.cancel(needs(), of));
    await expect(send(of, [[ANN, '', '']], { on: cancelling })).rejects.toThrow('was cancelled');
    expect(await stored(of.id)).toMatchObject({ state: 'cancelled', done_rows: 0, created: 0 });
    expect(await addresses()).toEqual(added);
    expect(await memberImport.errors({ table }, await stored(of.id), undefined)).toMatchObject({ data: [] });
    later = new Date(later.getTime() + 60_000);
    expect(await undo(of)).toMatchObject({ state: 'undone', undo: { removed: added.length } });
  });

  it('that was purged with its list is not found, whatever is asked of it', async () => {
    const of = await create();
    await batchWrite(table, {
      deletes: memberImport.keysOf(readers.organization_id, of.id, { list: readers.id }),
    });
    for (const act of [
      () => memberImport.addRows(needs(), readers, of, { from: 1, rows: ROWS }),
      () => memberImport.cancel(needs(), of),
      () => memberImport.undo(needs(), of),
    ])
      await expect(act()).rejects.toMatchObject({ reason: 'not-found', message: 'Import not found' });
    expect(await addresses()).toEqual([]);
  });

  it('stores as many rows as there is time for, and the caller sends the others', async () => {
    const of = await create({ total_rows: 600 });
    const rows = Array.from({ length: 600 }, (_, n) => [`reader${n}@example.com`, '', '']);
    const add = async (from: number, hasTimeLeft: () => boolean) => {
      const asked = { from, rows: rows.slice(from - 1) };
      return memberImport.addRows({ ...needs(), hasTimeLeft }, readers, await stored(of.id), asked);
    };
    const first = await add(1, () => false);
    expect(first.results.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(first.import).toMatchObject({ state: 'running', done_rows: 250, counts: { created: 250 } });
    expect((await add(1, () => true)).results).toEqual(first.results);
    expect((await add(251, () => true)).import).toMatchObject({ state: 'done', counts: { created: 600 } });
  });

  it('begins rows for ten of the 25 seconds of its function', async () => {
    const of = await create({ total_rows: 2_000 });
    const rows = Array.from({ length: 2_000 }, () => ['no address', '', '']);
    let worked = 0;
    const hasTimeLeft = (reserveMs = 0) => {
      worked += 2_100;
      // As functions/http/serve.ts says it.
      return 25_000 - worked > 4_000 + reserveMs;
    };
    const { results } = await memberImport.addRows({ ...needs(), hasTimeLeft }, readers, of, {
      from: 1,
      rows,
    });
    // The fifth 250 began after 8.4 seconds; the sixth would after 10.5.
    expect([results.length, worked]).toEqual([1_250, 10_500]);
  });

  it('says why rows were rejected in answers of a bounded size', async () => {
    const columns = ['email', 'is_subscribed', 'suppression'].map((to, position) => ({
      position,
      to,
      name: `${position}`.padEnd(200, '漢'),
    }));
    const of = await create({ columns, total_rows: 4_000 });
    const rows = Array.from({ length: 500 }, (_, at) => [`no ${at}`, 'maybe', 'maybe']);
    for (let from = 1; from <= 4_000; from += 500) await send(of, rows, { from });
    // DynamoDB stores items of 400 KB: each distinct error is in one of them once.
    for (const { texts } of await queryPartition(table, `IMPORT#${readers.organization_id}#${of.id}`))
      expect(texts).toHaveLength(2);
    const found: number[] = [];
    let cursor: string | null | undefined;
    for (; cursor !== null; ) {
      const page = await memberImport.errors({ table }, await stored(of.id), cursor);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(4_000_000);
      found.push(...page.data.map(({ row }) => row));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(Array.from({ length: 8_000 }, (_, at) => Math.floor(at / 2) + 1));
  });

  it('shows its members by address and its errors, by pages, and of a row two errors', async () => {
    const of = await create({ total_rows: 150 });
    const rows = Array.from({ length: 125 }, (_, at) => [`p${at}@example.com`, '', '']);
    await send(of, rows);
    for (let from = 126; from <= 150; from++) await send(of, [['no', '', '2030-13-01']], { from });
    const all = async <T>(
      pageOf: (cursor?: string) => Promise<{ data: T[]; next_cursor: string | null }>,
    ) => {
      const found: T[][] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, next_cursor } = await pageOf(cursor);
        found.push(data);
        cursor = next_cursor;
      }
      return found;
    };
    const now = await stored(of.id);
    const members = (await all(cursor => memberImport.members({ table }, now, cursor))).map(page =>
      page.map(({ email }) => email),
    );
    expect(members.map(({ length }) => length).filter(length => length > 0)).toEqual([100, 25]);
    expect(members.flat().sort()).toEqual(rows.map(([email]) => email).sort());
    for (const page of members) expect(page).toEqual(page.toSorted());
    const errors = await all(cursor => memberImport.errors({ table }, now, cursor));
    // Of 20 calls at most, the first of them without an error.
    expect(errors.map(({ length }) => length)).toEqual([38, 12]);
    expect(errors.flat().map(({ row }) => row)).toEqual(
      Array.from({ length: 50 }, (_, at) => 126 + Math.floor(at / 2)),
    );
  });

  it('has one page of a hundred members', async () => {
    const of = await create({ total_rows: 100 });
    await send(
      of,
      Array.from({ length: 100 }, (_, at) => [`p${at}@example.com`, '', '']),
    );
    const { data, next_cursor } = await memberImport.members({ table }, await stored(of.id), undefined);
    expect([data.length, next_cursor]).toEqual([100, null]);
  });

  it('says before what it will do, and writes nothing', async () => {
    await upsert([{ email: BEN, plan: 'pro' }]);
    const how = { ...file(), start_nothing: false };
    const rows = [...ROWS.slice(0, 2), [BEN, 'pro', ''], [BEN, 'basic', '']];
    const check = (some: unknown[]) => memberImport.check(needs(), readers, { ...how, from: 1, rows: some });
    expect((await check(rows.slice(0, 3))).map(({ status }) => status)).toEqual([
      'created',
      'rejected',
      'unchanged',
    ]);
    expect((await check(rows.slice(3))).map(({ status }) => status)).toEqual(['updated']);
    const tried = await memberImport.tryMembers(needs(), readers, {
      ...how,
      rows: [...rows.slice(0, 3)],
      of: 3,
    });
    expect(tried).toEqual([
      {
        hash: recipientKey.hashOf(ANN),
        before: undefined,
        after: expect.objectContaining({
          email: ANN,
          status: 'subscribed',
          metadata: { plan: 'basic', ends: '2030-02-01' },
        }),
      },
    ]);
    const [ben] = await memberImport.tryMembers(needs(), readers, { ...how, rows: rows.slice(3), of: 1 });
    expect(ben).toMatchObject({
      before: { metadata: { plan: 'pro' } },
      after: { metadata: { plan: 'basic' } },
    });
    expect(await addresses()).toEqual([BEN]);
    expect(await memberImport.importsOf({ table }, readers)).toEqual([]);
  });

  it('leaves what an empty cell would change, and a number that reads the same', async () => {
    await upsert([{ email: ANN, plan: 7, ends: '2030-05-05', note: 'kept' }, { email: BEN }]);
    const of = await create();
    const { results } = await send(of, [
      [ANN, '7', ''],
      [BEN, 'undefined', ''],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['unchanged', 'updated']);
    expect((await stateOf(ANN)).membership?.metadata).toEqual({ plan: 7, ends: '2030-05-05', note: 'kept' });
  });

  it('rejects a row that has too much metadata with what the member has, and one whose suppression cannot be read', async () => {
    await upsert([
      { email: ANN, ...Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`k${at}`, at])) },
    ]);
    const rejected = (
      await send(await create(), [
        [ANN, 'pro', '2030-02-01'],
        [BEN, 'pro', ''],
      ])
    ).results;
    expect(rejected).toEqual([
      {
        row: 1,
        status: 'rejected',
        errors: [{ column: '', reason: expect.stringContaining('At most 50 keys') }],
      },
      { row: 2, status: 'created' },
    ]);
    const columns = [COLUMNS[0], { position: 1, name: 'Why', to: 'suppression' }];
    const { results } = await send(await create({ columns }), [['cay@example.com', 'maybe']]);
    expect(results).toEqual([
      {
        row: 1,
        status: 'rejected',
        errors: [{ column: 'Why', reason: 'Write bounce or complaint, or nothing' }],
      },
    ]);
    expect(await addresses()).toEqual([ANN, BEN]);
  });

  it('that starts nothing notes with the members that it adds from when on automations mail them', async () => {
    await upsert([{ email: BEN }]);
    const of = await create({ start_nothing: true });
    const { import: after } = await send(of, [
      [ANN, '', ''],
      [BEN, 'pro', ''],
    ]);
    expect(after.start_nothing).toBe(true);
    const added = { import: of.id, row: 1, starts_after: later.toISOString() };
    expect((await stateOf(ANN)).membership?.added_by).toEqual(added);
    expect((await stateOf(BEN)).membership?.added_by).toBeUndefined();
    await send(await create(), [['cay@example.com', '', '']]);
    expect((await stateOf('cay@example.com')).membership?.added_by).not.toHaveProperty('starts_after');
  });

  it('leaves members as they are where it is to skip them', async () => {
    await upsert([{ email: ANN, plan: 'pro' }]);
    const of = await create({ mode: 'skip' });
    expect((await send(of, ROWS)).results.map(({ status }) => status)).toEqual([
      'skipped',
      'rejected',
      'rejected',
      'created',
    ]);
    expect((await stateOf(ANN)).membership?.metadata).toEqual({ plan: 'pro' });
  });

  it('subscribes nobody who unsubscribed, on the list or before they left it', async () => {
    await upsert([{ email: ANN, is_subscribed: false }, { email: BEN }]);
    const ben = () => listMember.find({ table }, readers.organization_id, idOf(BEN));
    await listMember.change({ table, now: later }, await ben(), { is_subscribed: false });
    await listMember.remove({ table, now: later }, await ben());
    const { results, import: after } = await send(await create(), [
      [ANN, 'pro', ''],
      [BEN, '', ''],
    ]);
    expect(results).toEqual([
      { row: 1, status: 'updated', stays_unsubscribed: true },
      { row: 2, status: 'created', stays_unsubscribed: true },
    ]);
    expect(after.counts.stays_unsubscribed).toBe(2);
    const again = await memberImport.addRows(needs(), readers, await stored(after.id), {
      from: 1,
      rows: [[ANN, 'pro', '']],
    });
    expect(again.results).toEqual(results);
    expect(await addresses()).toEqual([`(${ANN})`, `(${BEN})`]);
  });

  it('rejects what is no row, and an address that is in the rows twice', async () => {
    const of = await create({ total_rows: 6 });
    const invalid = [null, [BEN], [BEN, 7, '']];
    const { results } = await send(of, [[ANN, '', ''], ...invalid, [ANN.toUpperCase(), 'pro', ''], 'twice']);
    const noRow = { column: '', reason: 'A row must be a list of texts, one for each column of the import' };
    const twice = { column: 'Address', reason: 'This address is in an earlier row of the file too' };
    expect(results.map(({ errors }) => errors)).toEqual([
      undefined,
      ...invalid.map(() => [noRow]),
      [twice],
      [twice],
    ]);
  });

  it('takes no rows but the next ones, nor more than the file has', async () => {
    const of = await create();
    await expect(send(of, ROWS, { from: 2 })).rejects.toThrow('next row of this import is row 1');
    await expect(send(of, [...ROWS, ROWS[0]])).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('has 4 rows'),
    });
    expect(await addresses()).toEqual([]);
    await send(of, ROWS);
    await expect(send(of, ROWS, { from: 5 })).rejects.toThrow('All rows of this import are stored.');
  });

  it('goes no faster than programs add members', async () => {
    const of = await create({ total_rows: 100_000 });
    pass();
    const many = (from: number) => Array.from({ length: 500 }, (_, at) => [`no ${from + at}`, '', '']);
    const call = async (from: number) =>
      memberImport.addRows(needs(), readers, await stored(of.id), { from, rows: many(from) });
    for (let from = 1; from < 8_000; from += 500) await call(from);
    await expect(call(8_001)).rejects.toMatchObject({ reason: 'too-many', retryAfter: 10 });
  });
});

const idOf = (email: string, of = readers) => recipientKey.memberId(of.id, recipientKey.hashOf(email));

describe('Rows that are sent again', () => {
  it('change and count nothing', async () => {
    const of = await create({ total_rows: 6 });
    await send(of, ROWS);
    await upsert([{ email: ANN, plan: 'changed' }]);
    const { results, import: after } = await send(of, ROWS);
    expect([results, after.counts, after.done_rows]).toEqual([OUTCOMES, COUNTS, 4]);
    expect((await stateOf(ANN)).membership?.metadata).toMatchObject({ plan: 'changed' });
  });

  it.each(['before', 'within', 'after'] as const)(
    'end the same wherever a process dies, %s a write, also when they are cut elsewhere',
    async how => {
      for (let at = 1, isDone = false; !isDone; at++) {
        readers = await newList(table, now);
        const of = await create({ total_rows: 4 });
        isDone = await survives(send(of, ROWS, { on: crashing(table, { at, how }) }));
        const after = await stored(of.id);
        if (after.state === 'running') await send(of, ROWS.slice(0, 3));
        const { done_rows } = await stored(of.id);
        if (done_rows < 4) await send(of, ROWS.slice(done_rows), { from: done_rows + 1 });
        const { state, ...ended } = await stored(of.id);
        expect([state, ImportCounts.parse(ended)]).toEqual(['done', COUNTS]);
        expect(await addresses()).toEqual([ANN, 'cay@example.com']);
      }
    },
  );

  it('count once where two tabs send them at once', async () => {
    const of = await create();
    await upsert([{ email: BEN, plan: 'basic' }]);
    const rows = [...ROWS.slice(0, 2), [BEN, 'pro', ''], ROWS[3]];
    const wanted = ['created', 'rejected', 'updated', 'created'];
    const both = await Promise.all([send(of, rows), send(of, rows)]);
    for (const { results } of both) expect(results.map(({ status }) => status)).toEqual(wanted);
    expect(await stored(of.id)).toMatchObject({ created: 2, updated: 1, rejected: 1, done_rows: 4 });
  });

  it('leave what somebody has changed after the call that stored it died', async () => {
    const of = await create();
    await expect(send(of, ROWS, { on: crashing(table, { at: 5, how: 'after' }) })).rejects.toThrow();
    await upsert([{ email: ANN, plan: 'by hand' }]);
    await send(of, ROWS);
    expect((await stateOf(ANN)).membership?.metadata).toMatchObject({ plan: 'by hand' });
  });

  it('add nobody again that undoing has removed, even if a call is late', async () => {
    const of = await create();
    const late = beforeFirst(table, INSERT, async () => {
      await send(of, ROWS);
      later = new Date(later.getTime() + 60_000);
      await undo(of);
    });
    expect((await send(of, ROWS, { on: late })).results).toEqual(OUTCOMES);
    expect(await addresses()).toEqual([]);
  });

  it('add nobody again who was removed or erased after the call that added them died', async () => {
    for (let at = 1, isDone = false; !isDone; at++) {
      readers = await newList(table, now);
      const of = await create();
      isDone = await survives(send(of, ROWS, { on: crashing(table, { at, how: 'after' }) }));
      const added = await addresses();
      for (const email of added) {
        const member = await listMember.find({ table }, readers.organization_id, idOf(email));
        if (email === ANN) await recipient.erase({ table, now: later }, readers.organization_id, ANN);
        else await listMember.remove({ table, now: later }, member);
      }
      expect((await send(of, ROWS)).import).toMatchObject({ state: 'done', done_rows: 4 });
      expect((await addresses()).filter(email => added.includes(email))).toEqual([]);
    }
  });

  it('add nobody again who was removed while others of them stayed', async () => {
    const of = await create();
    await expect(send(of, ROWS, { on: crashing(table, { at: 5, how: 'after' }) })).rejects.toThrow();
    await listMember.remove(
      { table, now: later },
      await listMember.find({ table }, readers.organization_id, idOf(ANN)),
    );
    expect((await send(of, ROWS)).results.map(({ status }) => status)).toEqual([
      'unchanged',
      'rejected',
      'rejected',
      'created',
    ]);
    expect(await addresses()).toEqual(['cay@example.com']);
  });

  it('are to be sent again where the table failed, whose error is no refusal', async () => {
    const of = await create();
    const failing = interceptedOnce(table, INSERT, async () => {
      throw new Error('The table is down');
    });
    await expect(send(of, ROWS, { on: failing })).rejects.toThrow('The table is down');
    expect((await send(of, ROWS)).results).toEqual(OUTCOMES);
  });

  it('are not taken for others where another tab has stored fewer of them at that moment', async () => {
    const of = await create({ total_rows: 251 });
    const rows = Array.from({ length: 251 }, (_, at) => [`no ${at}`, '', '']);
    await send(of, rows.slice(0, 1));
    const { import: after, results } = await memberImport.addRows(needs(), readers, of, { from: 1, rows });
    expect([after.done_rows, results.length]).toEqual([1, 1]);
  });

  it('do not bring back older values of an address that a later row of the file has', async () => {
    const of = await create({ total_rows: 2 });
    const stale = await stored(of.id);
    await send(of, [[ANN, 'basic', '']]);
    await send(of, [[ANN, 'pro', '']], { from: 2 });
    await memberImport.addRows(needs(), readers, stale, { from: 1, rows: [[ANN, 'basic', '']] });
    expect((await stateOf(ANN)).membership?.metadata).toEqual({ plan: 'pro' });
  });
});

/** In the same organization. */
const listBeside = () =>
  createList(table, now, {
    organization: { id: readers.organization_id },
    membership: { role: 'OWNER' },
  } as never);

describe('People who are imported as', () => {
  // None of them stays so against the file.
  const UNSUBSCRIBED = [
    { row: 1, status: 'updated' },
    { row: 2, status: 'created' },
  ];
  const entriesOf = async (email: string) =>
    (
      await journal.readJournal(table, recipientKey.keyOf(readers.organization_id, email), {
        since: '2000-01-01T00:00:00Z',
        most: 10,
      })
    ).entries.map(({ seq, at, ...entry }) => entry);

  it('unsubscribed are so, and the journal of a member names the import', async () => {
    await upsert([{ email: ANN }]);
    const of = await create({ as: 'unsubscribed', consent: null });
    const { results } = await send(of, [
      [ANN, '', ''],
      [BEN, '', ''],
    ]);
    expect(results).toEqual(UNSUBSCRIBED);
    expect(await memberImport.describedAll(table, readers.organization_id, [await stored(of.id)])).toEqual(
      new Map([[of.id, 'Imported from people.csv']]),
    );
    expect(await addresses()).toEqual([`(${ANN})`, `(${BEN})`]);
    expect(await entriesOf(ANN)).toEqual([
      { type: 'unsubscribed', list_id: readers.id, by: 'import', import: of.id },
    ]);
  });

  it('bounced, where members are to be skipped, are so only if they are new to the list', async () => {
    const other = await listBeside();
    for (const to of [readers, other]) await upsert([{ email: ANN }], to);
    await upsert([{ email: BEN }], other);
    const { results } = await send(await create({ as: 'bounce', mode: 'skip' }), [
      [ANN, '', ''],
      [BEN, '', ''],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['skipped', 'created']);
    expect([await addresses(), await addresses(other)]).toEqual([
      [ANN, `(${BEN})`],
      [ANN, `(${BEN})`],
    ]);
  });

  it('bounced or complained are suppressed in all lists, also where a process dies', async () => {
    for (const how of ['before', 'after'] as const) {
      for (let at = 1, isDone = false; !isDone; at++) {
        readers = await newList(table, now);
        const other = await listBeside();
        await upsert([{ email: ANN, plan: 'pro' }]);
        await upsert([{ email: ANN }], other);
        const columns = [COLUMNS[0], { position: 1, name: 'Why', to: 'suppression' }];
        const of = await create({ columns, total_rows: 2 });
        const rows = [
          [ANN, 'bounce'],
          [BEN, 'Complained'],
        ];
        isDone = await survives(send(of, rows, { on: crashing(table, { at, how }) }));
        const { results } = await send(of, rows);
        expect(results).toEqual(UNSUBSCRIBED);
        const [ann, ben] = [await stateOf(ANN), await stateOf(BEN)];
        expect([ann.head?.suppression, ben.head?.suppression]).toEqual(['bounce', 'complaint']);
        expect([ann.membership, ben.membership]).toMatchObject([
          { status: 'unsubscribed', by: 'bounce' },
          { status: 'unsubscribed', by: 'complaint' },
        ]);
        expect(await addresses()).toEqual([`(${ANN})`, `(${BEN})`]);
        expect(await addresses(other)).toEqual([`(${ANN})`]);
        expect(await entriesOf(BEN)).toEqual([
          { type: 'complained', list_id: readers.id, by: 'import', import: of.id },
        ]);
        expect(await entriesOf(ANN)).toEqual([
          { type: 'unsubscribed', list_id: other.id, by: 'bounce', import: of.id },
          { type: 'bounced', list_id: readers.id, by: 'import', import: of.id },
        ]);
      }
    }
  });

  it('suppressed are so too in a list to which another call adds them at that moment', async () => {
    const other = await listBeside();
    const of = await create({ as: 'bounce', total_rows: 1 }, other);
    const suppress = () => send(of, [[ANN, '', '']], { to: other });
    pass();
    const during = beforeFirst(table, INSERT, suppress);
    const [added] = await upsertStore.upsertAll({ table: during, now: later }, readers, [{ email: ANN }]);
    await upsert([{ email: BEN }]);
    expect(added).toMatchObject({ status: 'created', warnings: { is_subscribed: [expect.any(String)] } });
    expect([await addresses(), await addresses(other)]).toEqual([[`(${ANN})`, BEN], [`(${ANN})`]]);
    const { head, membership } = await stateOf(ANN);
    expect([head?.suppression, membership?.by]).toEqual(['bounce', 'bounce']);
  });

  it('bounced stay complained where they were so, or become so, and a column says more than the choice for all', async () => {
    const columns = [COLUMNS[0], { position: 1, name: 'Why', to: 'suppression' }];
    await send(await create({ columns, as: 'complaint', total_rows: 2 }), [
      [ANN, ''],
      [BEN, 'bounce'],
    ]);
    await send(await create({ columns, as: 'bounce', total_rows: 1 }), [[ANN, '']]);
    const suppressions = async () =>
      [await stateOf(ANN), await stateOf(BEN)].map(({ head }) => head?.suppression);
    expect(await suppressions()).toEqual(['complaint', 'bounce']);
    await send(await create({ columns, as: 'complaint', total_rows: 1 }), [[BEN, '']]);
    expect(await suppressions()).toEqual(['complaint', 'complaint']);
  });

  it('a column says', async () => {
    const columns = [COLUMNS[0], { position: 1, name: 'Active', to: 'is_subscribed' }];
    const of = await create({ columns });
    const rows = [
      [ANN, 'no'],
      [BEN, 'TRUE'],
      ['cay@example.com', ''],
      ['dan@example.com', 'maybe'],
    ];
    const { results } = await send(of, rows);
    expect(results.at(-1)?.errors).toEqual([{ column: 'Active', reason: 'Write true or false' }]);
    expect(await addresses()).toEqual([`(${ANN})`, BEN, 'cay@example.com']);
  });
});

describe('An import of members that another import has added', () => {
  it('does not change which one that was unless they had left, and its own consent is in their activity', async () => {
    const first = await create();
    await send(first, ROWS);
    const second = await create({ file_name: 'guests.csv', consent: { source: 'Guest book', date: null } });
    await send(second, [[ANN, 'pro', '']]);
    const actions = await activity.actions(needs(), readers.organization_id, idOf(ANN));
    expect(actions.map(({ type, formatted_metadata: { source } }) => [type, source])).toEqual([
      ['import', 'Imported from guests.csv, consent: Guest book'],
      ['subscribe', 'Imported from people.csv, consent: Sign-up form, 2029-12-01'],
    ]);
    const membersOf = async (of: Pick<memberImportStore.StoredImport, 'id'>) =>
      (await memberImport.members({ table }, await stored(of.id), undefined)).data.map(({ email }) => email);
    expect([await membersOf(first), await membersOf(second)]).toEqual([[ANN, 'cay@example.com'], []]);
    const ann = await listMember.find({ table }, readers.organization_id, idOf(ANN));
    await listMember.remove({ table, now: later }, ann);
    await send(await create(), [[ANN, '', '']]);
    expect(await membersOf(first)).toEqual(['cay@example.com']);
    expect(await undo(first)).toMatchObject({ undo: { removed: 1, stay_changed: 0 } });
    expect(await addresses()).toEqual([ANN]);
  });

  it('is noted in the journal of those whom it changes', async () => {
    await upsert([{ email: ANN }]);
    const of = await create();
    await send(of, [ROWS[0]]);
    const { entries } = await journal.readJournal(table, recipientKey.keyOf(readers.organization_id, ANN), {
      since: now.toISOString(),
      most: 9,
    });
    expect(entries).toMatchObject([{ type: 'imported', list_id: readers.id, by: 'import', import: of.id }]);
  });

  it.each([
    ['update', 'unchanged', 'basic'],
    ['update', 'updated', 'pro'],
    ['skip', 'skipped', 'pro'],
  ] as const)('keeps them when that one is undone: mode %s, %s', async (mode, status, plan) => {
    const first = await create();
    await send(first, ROWS);
    const rows = [[ANN, plan, '']];
    const how = { columns: file().columns, mode, as: 'subscribed' as const, start_nothing: false };
    const checked = await memberImport.check(needs(), readers, { ...how, from: 1, rows });
    const { results } = await send(await create({ mode }), rows);
    expect([checked, results]).toEqual([[{ row: 1, status }], [{ row: 1, status }]]);
    expect(await undo(first)).toMatchObject({ undo: { removed: 1, stay_changed: 1 } });
    expect(await addresses()).toEqual([ANN]);
  });
});

describe('Undoing an import', () => {
  const claim = (email: string, list_id = readers.id) => {
    const at = later.toISOString();
    const of = { list_id, automation_id: 'a', key: 'a', batch: 'b', combination: 'c' };
    const key = recipientKey.keyOf(readers.organization_id, email);
    return claims.writeClaim(table, key, { seq: 1, type: 'send', at, ...of }, { email });
  };

  it('removes the members it created, and nobody else', async () => {
    await upsert([{ email: BEN }]);
    const of = await create();
    await send(of, [ROWS[0], [BEN, 'pro', ''], ROWS[3]]);
    const undone = await undo(of);
    expect(undone).toMatchObject({ state: 'undone', undo: { removed: 2, rows_left: 0 } });
    expect(await addresses()).toEqual([BEN]);
    await upsert([{ email: ANN }]);
    expect(await undo(of)).toEqual(undone);
    expect(await addresses()).toEqual([ANN, BEN]);
    const { data } = await memberImport.members({ table }, await stored(of.id), undefined);
    expect(data).toEqual([]);
  });

  it('leaves who was removed and added by others since, who is no member of the import any more', async () => {
    const of = await create();
    await send(of, [ROWS[0], [BEN, '', ''], ROWS[3]]);
    for (const email of [ANN, BEN]) {
      const member = await listMember.find({ table }, readers.organization_id, idOf(email));
      await listMember.remove({ table, now: later }, member);
    }
    await upsert([{ email: ANN }]);
    const { data } = await memberImport.members({ table }, await stored(of.id), undefined);
    expect(data.map(({ email }) => email)).toEqual(['cay@example.com']);
    expect(await undo(of)).toMatchObject({ undo: { removed: 1, mailed: 0, stay_changed: 0 } });
    expect(await addresses()).toEqual([ANN]);
  });

  it('removes those who were mailed too, counts them if it was by this list, and keeps those who were changed', async () => {
    const of = await create();
    await send(of, [ROWS[0], [BEN, '', ''], ROWS[3]]);
    await claim(ANN);
    await claim('cay@example.com', 'customers');
    await upsert([{ email: BEN, plan: 'pro' }]);
    // What was sent long before the undo counts.
    later = new Date(later.getTime() + 60 * 60_000);
    expect(await undo(of)).toMatchObject({ undo: { removed: 2, mailed: 1, stay_changed: 1 } });
    expect(await addresses()).toEqual([BEN]);
    const key = recipientKey.keyOf(readers.organization_id, ANN);
    const { entries } = await journal.readJournal(table, key, { since: now.toISOString(), most: 9 });
    expect(entries.map(({ type }) => type)).toEqual(['removed', 'send']);
  });

  it('counts an address once that was sent in two calls, or in one that died and was cut elsewhere', async () => {
    const twice = await create({ total_rows: 3 });
    await send(twice, [[ANN, '', '']]);
    for (const [from, status] of [[2, 'updated'] as const, [3, 'unchanged'] as const]) {
      const { results } = await send(twice, [[ANN, 'pro', '']], { from });
      expect(results).toEqual([{ row: from, status }]);
    }
    expect(await undo(twice)).toMatchObject({ undo: { removed: 1, stay_changed: 0 } });

    // The process dies before it adds the members, and after that.
    for (const at of [4, 5]) {
      for (const starts of [
        [1, 4],
        [1, 2, 4],
      ]) {
        readers = await newList(table, now);
        const cut = await create();
        await expect(send(cut, ROWS, { on: crashing(table, { at, how: 'after' }) })).rejects.toThrow();
        for (const [nth, from] of starts.entries())
          await send(cut, ROWS.slice(from - 1, (starts[nth + 1] ?? 5) - 1), { from });
        await claim('cay@example.com');
        expect(await undo(cut)).toMatchObject({ undo: { removed: 2, mailed: 1, stay_changed: 0 } });
      }
    }
  });

  it('counts an address once that is in a call which has not ended, or was to be in one', async () => {
    for (const begins of [false, true]) {
      readers = await newList(table, now);
      const of = await create();
      await expect(send(of, ROWS, { on: crashing(table, { at: 5, how: 'after' }) })).rejects.toThrow();
      await send(of, ROWS.slice(0, 3));
      const dying = crashing(table, { at: 2, how: 'after' });
      if (begins) await expect(send(of, ROWS.slice(3), { from: 4, on: dying })).rejects.toThrow();
      later = new Date(later.getTime() + 60_000);
      expect(await undo(of)).toMatchObject({ state: 'undone', undo: { removed: 2 } });
      expect(await addresses()).toEqual([]);
    }
  });

  it('keeps a member that somebody changed between two rows with their address', async () => {
    const of = await create({ total_rows: 2 });
    await send(of, [[ANN, '', '']]);
    await upsert([{ email: ANN, note: 'by hand' }]);
    await send(of, [[ANN, 'pro', '']], { from: 2 });
    expect(await undo(of)).toMatchObject({ undo: { removed: 0, stay_changed: 1 } });
  });

  it.each([
    ['counts as mailed whose email is claimed', () => claim(ANN), { removed: 1, mailed: 1 }, []],
    ['keeps who is changed', () => upsert([{ email: ANN, plan: 'pro' }]), { stay_changed: 1 }, [ANN]],
  ])('%s in that moment', async (_, meanwhile, counts, stay) => {
    const of = await create();
    await send(of, [ROWS[0]]);
    const undoing = await undo(of, beforeFirst(table, 'TransactWriteCommand', meanwhile));
    expect(undoing).toMatchObject({ undo: counts });
    expect(await addresses()).toEqual(stay);
  });

  it('ends with its time or with the rate, goes on with the next call, and counts once for two of them', async () => {
    // Rows that were not stored are none that are left.
    const of = await create({ total_rows: 9 });
    for (const [at, row] of ROWS.entries()) await send(of, [row], { from: at + 1 });
    const call = async (hasTimeLeft = () => true) =>
      memberImport.undo({ ...needs(), hasTimeLeft }, await stored(of.id));
    pass();
    await Promise.all([call(() => false), call(() => false)]);
    expect(await stored(of.id)).toMatchObject({ state: 'undoing', removed: 1 });
    await rate.countCalls(needs(), readers.organization_id, PROGRAM_RATE, PROGRAM_RATE.most - 2);
    expect(await call()).toMatchObject({ state: 'undoing', undo: { removed: 1, rows_left: 1 } });
    await expect(call()).rejects.toMatchObject({ reason: 'too-many' });
    pass();
    expect(await call()).toMatchObject({ state: 'undone', undo: { removed: 2, rows_left: 0 } });
  });

  it('is not ended by somebody who cancels what has ended', async () => {
    const of = await create();
    await send(of, ROWS);
    await expect(memberImport.cancel(needs(), of)).rejects.toThrow('is not running any more');
    expect(await undo(of)).toMatchObject({ state: 'undone', undo: { removed: 2 } });
  });

  it('lets people be imported as subscribed who were as unsubscribed by mistake', async () => {
    const mistaken = await create({ as: 'unsubscribed' });
    await send(mistaken, ROWS);
    await undo(mistaken);
    await send(await create(), ROWS);
    expect(await addresses()).toEqual([ANN, 'cay@example.com']);
  });

  it('leaves as unsubscribed who were so before they left', async () => {
    await upsert([{ email: ANN, is_subscribed: false }]);
    await listMember.remove(
      { table, now: later },
      await listMember.find({ table }, readers.organization_id, idOf(ANN)),
    );
    const of = await create();
    await send(of, [ROWS[0]]);
    await undo(of);
    await upsert([{ email: ANN }]);
    expect(await addresses()).toEqual([`(${ANN})`]);
  });

  it('removes the members of a call that died, once that call has certainly ended', async () => {
    const of = await create();
    await expect(send(of, ROWS, { on: crashing(table, { at: 5, how: 'after' }) })).rejects.toThrow();
    expect((await addresses()).length).toBeGreaterThan(0);
    const begun = later;
    await expect(undo(of)).rejects.toMatchObject({
      reason: 'too-many',
      retryAfter: 16,
      message: 'Rows of this import are still being stored. Please try again in 16 seconds.',
    });
    later = new Date(begun.getTime() + 15_000);
    await expect(undo(of)).rejects.toMatchObject({ retryAfter: 1 });
    later = new Date(begun.getTime() + 16_000);
    expect(await undo(of)).toMatchObject({ state: 'undone' });
    expect(await addresses()).toEqual([]);
    await expect(send(of, ROWS)).rejects.toThrow('was undone');
  });

  it.each(['before', 'after'] as const)('ends the same where a process dies %s a write', async how => {
    for (let at = 1, isDone = false; !isDone; at++) {
      readers = await newList(table, now);
      const of = await create();
      await send(of, ROWS);
      await claim(ANN);
      isDone = await survives(undo(of, crashing(table, { at, how })));
      expect(await undo(of)).toMatchObject({ state: 'undone', undo: { removed: 2, mailed: 1 } });
      expect(await addresses()).toEqual([]);
    }
  });
});
