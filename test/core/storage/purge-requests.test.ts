import { expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import { chunksOf } from '#core/parallel.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { batchWrite, deletePage, type Item, type Key } from '#core/storage/table.store.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { counting, purgesOf } from '#test/support/purge.ts';

const table = freshTable({ anyItems: true });
const { purged, left } = purgesOf(table);
const now = new Date('2030-01-08T12:00:00Z');
const DAY = 24 * 60 * 60_000;
const PEOPLE = 104;

const emails = Array.from({ length: PEOPLE }, (_, at) => `reader${at}@example.com`);

async function fill(on: list.CountedList): Promise<void> {
  for (const some of chunksOf(emails, 50)) {
    await listMember.upsertAll(
      { table, now },
      on,
      some.map(email => ({ email, signed_up: '2030-03-01' })),
    );
  }
}

/** The head, the journal and the clicks of somebody who was mailed each day for a week. */
function week(of: number, list_id: string, email: string): (Item & Key)[] {
  const key = recipientKey.keyOf(of, email);
  const PK = `R#${of}#${key.hash}`;
  const claims = Array.from({ length: 7 }, (_, at) => ({
    ...journal.entryKey(key, at + 1),
    seq: at + 1,
    type: 'send',
    at: new Date(now.getTime() - at * DAY).toISOString(),
    list_id,
    automation_id: 'daily',
    key: `daily#${at}`,
    batch: 'b',
    combination: 'c',
  }));
  const clicks = [1, 3].map(seq => ({ PK, SK: `T#000000000${seq}#link`, url: 'https://example.com/' }));
  return [{ PK, SK: 'HEAD', email, GSI1PK: `ORG#${of}`, GSI1SK: email }, ...claims, ...clicks];
}

it('deleting the people of an organization takes at most four requests a person', async () => {
  const owner = await newUser(table, now);
  const { id } = await organization.create({ table, now }, owner.id, 'Post office');
  const lists = [
    await newList(table, now, { organization: id }),
    await newList(table, now, { organization: id }),
  ];
  for (const of of lists) await fill(of);
  await batchWrite(table, { puts: emails.flatMap(email => week(id, lists[0]?.id ?? '', email)) });
  await organization.remove({ table, now }, await actingIn(table, owner.id, id));
  const { on, requests } = counting(table);
  expect(await purged({ organization_id: id }, now, { on })).toEqual(['done']);
  const each = requests() / PEOPLE;
  expect(each).toBeLessThanOrEqual(4);
  expect(each).toBeGreaterThan(2);
  for (const of of lists) await purged({ organization_id: id, list_id: of.id }, now);
  expect(await left(`R#${id}#`)).toEqual([]);
  for (const of of lists) expect(await left(of.id)).toEqual([]);
});

it('deleting the members of a list takes at most four requests a member, no more than 25 of them at once', async () => {
  const readers = await newList(table, now);
  await fill(readers);
  await list.remove({ table, now }, readers);
  let [requests, underWay, most] = [0, 0, 0];
  const on = intercepted(table, async send => {
    requests++;
    most = Math.max(most, ++underWay);
    const answer = await send();
    underWay--;
    return answer;
  });
  const job = { organization_id: readers.organization_id, list_id: readers.id };
  expect(await purged(job, now, { on })).toEqual(['done']);
  expect(requests / PEOPLE).toBeLessThanOrEqual(1.5);
  expect(most).toBe(25);
  expect(await left(readers.id)).toEqual([]);
});

it('deleting any other partition takes a read for many items, and a write for 25', async () => {
  const puts = Array.from({ length: 130 }, (_, at) => ({ PK: 'MANY', SK: `A${at}`, text: 'text' }));
  await batchWrite(table, { puts: [...puts, { PK: 'MANY', SK: 'B', text: 'another prefix' }] });
  const { on, requests } = counting(table);
  expect(await deletePage(on, 'MANY', 'A')).toBe(false);
  expect(requests()).toBe(7);
  expect(await left('MANY')).toEqual(['MANY B']);
});
