import type { Table } from '#core/storage/table.store.ts';
import type { CountedList } from '../list.ts';
import { type IndexRow, members, membersAfter } from './list-member.store.ts';

/** Draws a number from 0 to `most` - 1: another one at each call, and the same sequence for the same seed. */
export type Draw = (most: number) => number;

// So many members are read together: where they begin is drawn, and then one of them.
const BLOCK = 100;
const MOST_BLOCKS = 10;
/** To count the members before a block is to read them. In a larger list, a block begins at a random address instead. */
const MOST_SKIPPED = 10_000;

/** A random subscribed member of a list. Returns undefined if none is found among the members that are read. */
export async function subscribedMember(
  table: Table,
  { id, counts: { total } }: CountedList,
  draw: Draw,
): Promise<IndexRow | undefined> {
  const isCounted = total <= MOST_SKIPPED;
  const start = isCounted ? {} : { after: await addressWithin(table, id, draw) };
  const skip = isCounted ? Math.floor(draw(Math.max(1, total)) / BLOCK) * BLOCK : 0;
  const { members: block } = await membersAfter(table, id, skip, { ...start, limit: BLOCK });
  const after = block.at(-1)?.email;
  const chosen =
    among(block, draw) ?? (after && among(await members(table, id, { after, limit: MORE }), draw));
  return chosen || among(await members(table, id, { limit: MORE }), draw);
}

const MORE = MOST_BLOCKS * BLOCK;

function among(rows: IndexRow[], draw: Draw): IndexRow | undefined {
  const subscribed = rows.filter(({ status }) => status === 'subscribed');
  return subscribed[draw(Math.max(1, subscribed.length))];
}

/** A random text between the first and the last address of a list. */
async function addressWithin(table: Table, listId: string, draw: Draw): Promise<string> {
  const ends = [{ limit: 1 }, { limit: 1, backwards: true }].map(where => members(table, listId, where));
  const [first = '', last = ''] = (await Promise.all(ends)).map(([row]) => row?.email);
  const same = [...first].findIndex((character, at) => character !== last[at]);
  if (same < 0) return '';
  const [low, high] = [first.charCodeAt(same), last.charCodeAt(same)];
  const any = Array.from({ length: 4 }, () => CHARACTERS[draw(CHARACTERS.length)]).join('');
  return first.slice(0, same) + String.fromCharCode(low - 1 + draw(high - low + 2)) + any;
}

const CHARACTERS = '.0123456789abcdefghijklmnopqrstuvwxyz';
