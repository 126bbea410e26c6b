/** What the adapters read in the events of their providers, which may be anything that JSON has. */

/** The value of a field, whatever the sender of a JSON has put there. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const LONGEST_SEND = 60;

/** The id of one of our emails; undefined for anything else. */
export const sendIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SEND ? value : undefined;

const LONGEST_REASON = 300;
// Also those that change the direction of what follows, and half characters, which no table stores.
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
// An erased person leaves no address behind: its local part may be quoted, with spaces in it, the sign encoded.
const AT = '(?:@|\uFF20|%40)';
const QUOTED = String.raw`\\?"(?:[^"\\]|\\.){1,64}?\\?"`;
const UNQUOTED = String.raw`[^\s<>"(),;:@]+`;
const ADDRESS = new RegExp(`(?:${QUOTED}|${UNQUOTED})${AT}[^\\s<>"'(),;:]+`, 'gi');
// https://www.rfc-editor.org/rfc/rfc3463
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3}$/;

/** The codes and the words of a mail server, as text. */
export function reasonOf(code: string | undefined, enhanced: unknown, words: unknown): string {
  const said = typeof words === 'string' ? words : '';
  const isTold = typeof enhanced !== 'string' || !ENHANCED.test(enhanced) || said.includes(enhanced);
  const text = [...(code === undefined ? [] : [code]), ...(isTold ? [] : [enhanced]), said].join(' ');
  // Whatever is longer is not looked through.
  const shown = text
    .slice(0, 10 * LONGEST_REASON)
    .replace(UNSHOWN, ' ')
    .replace(ADDRESS, '[address]')
    .trim();
  return [...shown].slice(0, LONGEST_REASON).join('');
}
