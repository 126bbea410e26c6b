import { invalid } from '#core/refusal.ts';

/** A place in the log, which is read newest first: in the item with this sort key, after `count` of its emails. */
export type Position = { key: string; count: number };

/** After all emails of an item. */
export const ALL = 1_000_000;

export const isAfter = (position: Position, start: Position | undefined): boolean =>
  !start || position.key < start.key || (position.key === start.key && position.count > start.count);

export const textOf = ({ key, count }: Position): string =>
  Buffer.from(`${count} ${key}`).toString('base64url');

export const notOfThisLog = () => invalid('after', 'after must be the next of another page');

// A cursor is only used as a sort key within the partitions of the caller's organization, so it is not signed.
const POSITION = /^(\d{1,7}) ([\w#.:-]{1,200})$/;

export function positionOf(text: string): Position {
  const [, count, key] = POSITION.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (key === undefined) throw notOfThisLog();
  return { key, count: Number(count) };
}
