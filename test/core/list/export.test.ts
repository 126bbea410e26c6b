import { beforeAll, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import { exportPage } from '#core/list/list-member/export.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import * as record from '#core/organization/record.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import type { ExportedMember } from '#shared/export.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const MEMBERS = 2_100;
const address = (at: number) => `m${String(at).padStart(5, '0')}@example.com`;
const addresses = Array.from({ length: MEMBERS }, (_, at) => address(at));

function stored(of: list.CountedList, email: string, metadata: Record<string, unknown> = {}) {
  const { hash } = recipient.keyOf(of.organization_id, email);
  return {
    PK: `R#${of.organization_id}#${hash}`,
    SK: `IN#${of.id}`,
    GSI1PK: `LIST#${of.id}`,
    GSI1SK: email,
    list_id: of.id,
    email,
    status: 'subscribed',
    metadata,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    revision: 'r',
  };
}

const newReaders = async (puts: (of: list.CountedList) => ReturnType<typeof stored>[]) => {
  const of = await newList(table, now);
  await batchWrite(table, { puts: puts(of) });
  return of;
};

let readers: list.CountedList;
beforeAll(async () => {
  readers = await newReaders(of => addresses.map(email => stored(of, email, { name: email })));
});

async function pagesOf(of: list.CountedList, meanwhile = async () => {}, on: Table = table) {
  const pages: ExportedMember[][] = [];
  let cursor: string | undefined;
  do {
    const page = await exportPage({ table: on, now }, of, cursor);
    pages.push(page.data);
    cursor = page.next_cursor ?? undefined;
    await meanwhile();
  } while (cursor);
  return pages;
}
const emails = (pages: ExportedMember[][]) => pages.flat().map(({ email }) => email);

it('all members are exported by address, page by page, with all of their metadata', async () => {
  const pages = await pagesOf(readers);
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 100]);
  expect(emails(pages)).toEqual(addresses);
  expect(pages[1]?.[0]).toEqual({
    email: address(1_000),
    is_subscribed: true,
    suppression: null,
    created_at: now.toISOString(),
    metadata: { name: address(1_000) },
  });
});

it('who is added or removed meanwhile neither doubles nor hides anybody else', async () => {
  const of = await newReaders(list => addresses.map(email => stored(list, email)));
  const needs = { table, now };
  let turn = 0;
  const pages = await pagesOf(of, async () => {
    turn++;
    await upsert.upsertAll(needs, of, [{ email: `a${turn}@example.com` }, { email: `z${turn}@example.com` }]);
    for (const at of [turn, MEMBERS - turn]) {
      const { hash } = recipient.keyOf(of.organization_id, address(at));
      const found = await listMember.find({ table }, of.organization_id, recipient.memberId(of.id, hash));
      await listMember.remove(needs, found);
    }
  });
  const found = emails(pages);
  expect(new Set(found).size).toBe(found.length);
  const stayed = addresses.filter(
    email => ![1, 2, 3, MEMBERS - 1, MEMBERS - 2, MEMBERS - 3].map(address).includes(email),
  );
  expect(stayed.filter(email => !found.includes(email))).toEqual([]);
});

it('who leaves or unsubscribes between the index and their membership is exported as they are', async () => {
  const of = await newReaders(list => ['ann', 'ben'].map(name => stored(list, `${name}@example.com`)));
  const found = (email: string) =>
    listMember.find({ table }, of.organization_id, recipient.memberId(of.id, recipient.hashOf(email)));
  const meanwhile = async () => {
    await listMember.remove({ table, now }, await found('ann@example.com'));
    await listMember.change({ table, now }, await found('ben@example.com'), { is_subscribed: false });
  };
  const [members] = await pagesOf(of, undefined, beforeFirst(table, 'BatchGetCommand', meanwhile));
  expect(members).toMatchObject([{ email: 'ben@example.com', is_subscribed: false }]);
});

it('a page ends where members have so much metadata that an answer could not hold them', async () => {
  // The least and the most bytes of a character of ours: quotes are escaped in the member, and once more in the answer.
  const [wide, escaped] = ['漢'.repeat(337), '"'.repeat(505)].map(value =>
    Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, value])),
  );
  const of = await newReaders(list =>
    addresses.slice(0, 400).map((email, at) => stored(list, email, at < 200 ? wide : escaped)),
  );
  const pages = await pagesOf(of);
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 100, 100]);
  expect(emails(pages)).toEqual(addresses.slice(0, 400));
  for (const page of pages)
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(page)))).toBeLessThan(5_000_000);
});

it('an unsubscribed member is exported with why they are suppressed', async () => {
  const of = await newReaders(list => [
    { ...stored(list, 'ann@example.com'), status: 'unsubscribed' },
    { ...stored(list, 'ben@example.com'), status: 'unsubscribed' },
  ]);
  const { hash } = recipient.keyOf(of.organization_id, 'ben@example.com');
  await batchWrite(table, {
    puts: [
      {
        PK: `R#${of.organization_id}#${hash}`,
        SK: 'HEAD',
        email: 'ben@example.com',
        suppression: 'complaint',
      },
    ],
  });
  const [members] = await pagesOf(of);
  expect(members?.map(({ is_subscribed, suppression }) => [is_subscribed, suppression])).toEqual([
    [false, null],
    [false, 'complaint'],
  ]);
});

it('an empty list has an empty page, and a cursor of something else is refused', async () => {
  const of = await newList(table, now);
  expect(await exportPage({ table, now }, of, undefined)).toEqual({ data: [], total: 0, next_cursor: null });
  await expect(exportPage({ table, now }, of, 'x')).rejects.toMatchObject({ reason: 'invalid' });
});

it('nothing is exported by a cursor that names no export of this list', async () => {
  const [of, other] = [
    await newReaders(list => [stored(list, 'ann@example.com')]),
    await newList(table, now),
  ];
  await exportPage({ table, now }, of, undefined);
  const { data } = await record.page({ table }, of.organization_id, { object: of.id, per_page: 9 });
  const entry = data.find(({ what }) => what === 'exported');
  const by = (id = 'none') => record.exportCursor(id, 'a');
  expect((await exportPage({ table, now }, of, by(entry?.id))).data).toHaveLength(1);
  for (const [list, cursor] of [
    [of, by()],
    [{ ...other, organization_id: of.organization_id }, by(entry?.id)],
    [other, by(entry?.id)],
  ] as const)
    await expect(exportPage({ table, now }, list, cursor)).rejects.toMatchObject({ reason: 'invalid' });
});
