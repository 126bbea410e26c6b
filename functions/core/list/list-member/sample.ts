import type { Table } from '#core/storage/table.store.ts';
import type { CountedList } from '../list.ts';
import { type IndexRow, members, membersAfter } from './list-member.store.ts';

/** Draws a number from 0 to `most` - 1: another one at each call, and the same sequence for the same seed. */
export type RandomInt = (most: number) => number;

// So many members are read together: where they begin is drawn, and then one of them.
const BLOCK = 100;
const MOST_BLOCKS = 10;
/** To count the members before a block is to read them. In a larger list, a block begins at a random address instead. */
const MOST_SKIPPED = 10_000;

/** A random subscribed member of a list. Returns undefined if none is found among the members that are read. */
export async function subscribedMember(
  table: Table,
  { id, counts: { total } }: CountedList,
  randomInt: RandomInt,
): Promise<IndexRow | undefined> {
  const isCounted = total <= MOST_SKIPPED;
  const start = isCounted ? {} : { after: await addressWithin(table, id, randomInt) };
  const skip = isCounted ? Math.floor(randomInt(Math.max(1, total)) / BLOCK) * BLOCK : 0;
  const { members: block } = await membersAfter(table, id, skip, { ...start, limit: BLOCK });
  const after = block.at(-1)?.email;
  const chosen =
    among(block, randomInt) ?? (after && among(await members(table, id, { after, limit: MORE }), randomInt));
  return chosen || among(await members(table, id, { limit: MORE }), randomInt);
}

const MORE = MOST_BLOCKS * BLOCK;

function among(rows: IndexRow[], randomInt: RandomInt): IndexRow | undefined {
  const subscribed = rows.filter(({ status }) => status === 'subscribed');
  return subscribed[randomInt(Math.max(1, subscribed.length))];
}

/** A random text between the first and the last address of a list. */
async function addressWithin(table: Table, listId: string, randomInt: RandomInt): Promise<string> {
  const ends = [{ limit: 1 }, { limit: 1, backwards: true }].map(where => members(table, listId, where));
  const [first = '', last = ''] = (await Promise.all(ends)).map(([row]) => row?.email);
  const same = [...first].findIndex((character, at) => character !== last[at]);
  if (same < 0) return '';
  const [low, high] = [first.charCodeAt(same), last.charCodeAt(same)];
  const any = Array.from({ length: 4 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return first.slice(0, same) + String.fromCharCode(low - 1 + randomInt(high - low + 2)) + any;
}

const CHARACTERS = '.0123456789abcdefghijklmnopqrstuvwxyz';
