import { invalid } from '#core/refusal.ts';
import { normalizeAddress } from '#shared/address.ts';
import { isIndexed, isSearch, type View } from './view.ts';

/** Where a page begins. */
export type Cursor =
  /** After or before an address, in the order of the view. */
  | { kind: 'after' | 'before'; email: string }
  | SearchCursor
  /** After or before a member, who may have been removed, if the list is small enough to be read as a whole. */
  | { kind: 'behind' | 'ahead'; email: string; created_at: string };

/** After an address, in a search: among the members whose address begins with the text (`prefix`), or among all (`part`). */
export type SearchCursor = {
  kind: 'prefix' | 'part';
  email: string;
  /** How many members of the list were read before it. */
  searched: number;
  /** How many of the found members belong to earlier pages. */
  skip: number;
};

const KINDS = ['after', 'before', 'prefix', 'part', 'behind', 'ahead'] as const;

export function encodeCursor(cursor: Cursor): string {
  const { searched, skip } = 'skip' in cursor ? cursor : { searched: 0, skip: 0 };
  const created_at = 'created_at' in cursor ? [cursor.created_at] : [];
  const parts = [KINDS.indexOf(cursor.kind), cursor.email, searched, skip, ...created_at];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Refuses whatever is not a cursor for this kind of page, before the table is read. */
export function decodeCursor(encoded: string, view: View): Cursor {
  const [at, email, searched, skip, created_at] = parsed(encoded);
  const kind = KINDS[Number(at)];
  const isKnown = typeof email === 'string' && normalizeAddress(email) === email;
  if (isCount(searched) && isCount(skip)) {
    if (isKnown && (kind === 'after' || kind === 'before') && isIndexed(view)) return { kind, email };
    if (isKnown && (kind === 'behind' || kind === 'ahead') && !isIndexed(view) && isInstant(created_at)) {
      return { kind, email, created_at };
    }
    if (isSearch(view)) {
      const begins = isKnown && view.text !== '' && email.startsWith(view.text);
      if (kind === 'prefix' && begins) return { kind, email, searched, skip };
      if (kind === 'part' && (isKnown || email === '')) return { kind, email, searched, skip };
    }
  }
  throw otherPage();
}

export const otherPage = () =>
  invalid('cursor', 'This cursor belongs to another page: begin again with the first one');

const HIGHEST_COUNT = 1_000_000_000;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= HIGHEST_COUNT;
const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
