import { expect, it } from 'vitest';
import { warningsFor } from '#core/content/content-check.ts';
import { upsertAll } from '#core/list/list-member/rows.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

/** An automation with lists of so many members, of whom every third has a first name and all but ten a date. */
async function newAutomation(...sizes: number[]) {
  const sender = await newSender(table, now);
  const lists = [];
  for (const size of sizes) {
    const of = await sender.newList();
    const members = Array.from({ length: size }, (_, at) => ({
      email: `m${String(at).padStart(4, '0')}@example.com`,
      ...(at % 3 === 0 && { first_name: 'Ann' }),
      ...(at >= 10 && { ends: '2030-02-01' }),
    }));
    for (let from = 0; from < size; from += 100) {
      await upsertAll({ table, now }, of, members.slice(from, from + 100));
    }
    const PK = `LIST#${of.id}`;
    await batchWrite(table, {
      puts: [
        { PK, SK: 'COUNTS', total: size, subscribed: size, columns: 1 },
        { PK, SK: 'COLUMN#ends', has_place: true, members: Math.max(0, size - 10) },
      ],
    });
    lists.push(of.id);
  }
  const { id } = await sender.newAutomation({ email_list_ids: lists });
  const read = { members: 0, requests: 0 };
  const counting = intercepted(table, (send, { input }) => {
    read.requests += 1;
    const asked = Object.values(input.RequestItems ?? {}) as { Keys?: { SK: string }[] }[];
    const keys = asked.flatMap(({ Keys = [] }) => Keys);
    read.members += keys.filter(({ SK }) => SK.startsWith('IN#')).length;
    return send();
  });
  const warnings = async (value: string) => {
    Object.assign(read, { members: 0, requests: 0 });
    return (await warningsFor({ table: counting }, sender.organization, { value }, [id])).value;
  };
  return { warnings, read };
}

it('members without a value are counted exactly on lists of up to 300 in all', async () => {
  const { warnings } = await newAutomation(20, 280);
  expect(await warnings('{{first_name}}')).toEqual([
    "199 of 300 members have no first_name and no default is given. Write {{first_name | 'friend'}}.",
  ]);
});

it('of longer lists 300 are looked at, and dates are counted for all', async () => {
  const { warnings, read } = await newAutomation(20, 400);
  expect(await warnings('{{first_name}} {{ends}} {{nothing}}')).toEqual([
    "199 of the 300 members that were looked at (of 420) have no first_name and no default is given. Write {{first_name | 'friend'}}.",
    "20 of 420 members have no date in ends and no default is given. Write {{ends | 'Default'}}.",
    "None of the 300 members that were looked at (of 420) has nothing and no default is given. Write {{nothing | 'Default'}}.",
  ]);
  expect(read.members).toBe(300);
});

it('nothing is read where no metadata is asked for', async () => {
  const { warnings, read } = await newAutomation(1);
  expect(await warnings('Hello {{email}}')).toBeUndefined();
  expect(read.requests).toBe(0);
});

it('of lists without members nothing is counted', async () => {
  const { warnings } = await newAutomation(0);
  expect(await warnings('{{first_name}}')).toEqual([
    "No default is given for first_name: members without it see nothing in its place. Write {{first_name | 'friend'}}.",
  ]);
});
