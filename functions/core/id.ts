import { createHash, randomBytes, randomInt } from 'node:crypto';

const LENGTH = 12;
const ID = /^[a-z0-9]{12}$/;

export const newId = (length = LENGTH) => randomText('abcdefghijklmnopqrstuvwxyz0123456789', length);

export const isId = (text: string) => ID.test(text);

/** Broadcasts are automations, whose ids say what they are. */
const BROADCAST = /^B[a-z0-9]{11}$/;
export const isBroadcast = (id: string) => BROADCAST.test(id);
/** In the order in which they are created. Hundredths of a second, of which eight digits last for centuries. */
export const newBroadcastId = (now: Date) =>
  `B${Math.floor(now.getTime() / 10)
    .toString(36)
    .padStart(8, '0')}${newId(3)}`;

/** A new revision of an item: each write sets one, and the next write has it as condition. */
export const newRevision = () => randomBytes(6).toString('base64url');

/** A random secret of 256 bits, safe in a header or a URL. */
export const newSecret = () => randomBytes(32).toString('base64url');

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const randomText = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A cursor is a position behind a hash of its filter, so that it is refused with another one. It is not signed. */
export const cursorFor = (filter: object, position: string) => hashOf(filter) + position;

/** The position in a cursor; undefined if it belongs to another filter. */
export const positionOf = (filter: object, cursor: string): string | undefined =>
  cursor.startsWith(hashOf(filter)) ? cursor.slice(HASHED) : undefined;

const HASHED = 12;

function hashOf(filter: object): string {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  return sha256(JSON.stringify(set.sort())).slice(0, HASHED);
}
