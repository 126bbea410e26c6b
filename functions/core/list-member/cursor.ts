import { normalizeAddress } from '../../../shared/address.ts';
import { invalid } from '../refusal.ts';

/** Where a page begins: after or before an address; or within a search, among those that begin with its text or the rest. */
export type Cursor =
  | { kind: 'after' | 'before' | 'prefix'; email: string }
  | {
      kind: 'part';
      email: string;
      /** How many members were searched before it. */
      searched: number;
      /** How many of the members that it finds belong to earlier pages. */
      skip: number;
    };

const KINDS: Cursor['kind'][] = ['after', 'before', 'prefix', 'part'];

export function encodeCursor(cursor: Cursor): string {
  const { searched, skip } = cursor.kind === 'part' ? cursor : { searched: 0, skip: 0 };
  return Buffer.from(JSON.stringify([KINDS.indexOf(cursor.kind), cursor.email, searched, skip])).toString(
    'base64url',
  );
}

/** Anything that is not a cursor of ours for this kind of page is refused before the table is read. */
export function decodeCursor(text: string, search: string): Cursor {
  const [kind, email, searched, skip] = parsed(text);
  const known = KINDS[Number(kind)];
  const isAddress = typeof email === 'string' && normalizeAddress(email) === email;
  const fits =
    known === 'part'
      ? search !== '' && (isAddress || email === '')
      : known === 'prefix'
        ? search !== '' && isAddress && email.startsWith(search)
        : search === '' && isAddress;
  if (!known || !fits || !isCount(searched) || !isCount(skip)) {
    throw invalid('cursor', 'This cursor belongs to another page: begin again with the first one');
  }
  return known === 'part'
    ? { kind: known, email: String(email), searched: Number(searched), skip: Number(skip) }
    : { kind: known, email: String(email) };
}

const HIGHEST_COUNT = 1_000_000_000;
const isCount = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= HIGHEST_COUNT;

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
