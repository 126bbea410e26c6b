import { sha256 } from './id.ts';

/** A cursor begins with a hash of its filter, so that it is refused with another one. What follows is not signed. */
const HASHED = 12;

const hashOf = (filter: object) =>
  sha256(
    JSON.stringify(
      Object.entries(filter)
        .filter(([, value]) => value !== undefined)
        .sort(),
    ),
  ).slice(0, HASHED);

export const withFilter = (filter: object, cursor: string) => hashOf(filter) + cursor;

/** The cursor without the hash; undefined if it belongs to another filter. */
export const ofFilter = (filter: object, cursor: string): string | undefined =>
  cursor.startsWith(hashOf(filter)) ? cursor.slice(HASHED) : undefined;
