import type { Metadata } from './metadata.ts';

/** `First Name`, `first_name` and `firstName` are one key. */
const plain = (key: string) => key.toLowerCase().replace(/[\s_]/g, '');

const KEYS = ['fullname', 'name', 'firstname', 'lastname'];

export const isNameKey = (key: string) => KEYS.includes(plain(key));

/** The name of a person in their metadata; undefined if that has none. */
export function personName(metadata: Metadata): string | undefined {
  const values = new Map(Object.entries(metadata).map(([key, value]) => [plain(key), String(value).trim()]));
  const [full, name, ...parts] = KEYS.map(key => values.get(key));
  return full || name || parts.filter(Boolean).join(' ') || undefined;
}
