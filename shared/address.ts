import * as z from 'zod/mini';

// RFC 5321, 4.5.3.1: at most 64 octets before the @, and 254 characters that fit a path.
const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The one form in which an address is stored and compared, or undefined where it is none. */
export function normalizeAddress(raw: string): string | undefined {
  const address = raw.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return undefined;
  const local = address.slice(0, at);
  const domain = normalizeDomain(address.slice(at + 1));
  if (!domain || local.length > LONGEST_LOCAL_PART || !LOCAL_PART.test(local)) return undefined;
  const normalized = `${local}@${domain}`;
  return normalized.length > LONGEST_ADDRESS ? undefined : normalized;
}

/** Lower case, internationalized names in punycode; undefined where it is no domain name. */
export function normalizeDomain(raw: string): string | undefined {
  const domain = raw.trim().toLowerCase();
  // A URL parser drops these, or reads them as something other than a name.
  if (/[\s\p{Cc}/\\?#@:%[\]]/u.test(domain)) return undefined;
  // Also where it is ASCII already: what ends in a number such as 0xa is an IPv4 address to a URL parser, or none at all.
  const ascii = toAscii(domain);
  return ascii && DOMAIN.test(ascii) && !/\.\d+$/.test(ascii) ? ascii : undefined;
}

function toAscii(domain: string): string | undefined {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : undefined;
}

// https://support.google.com/mail/answer/7436150
const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that the mail of a normalized address arrives in: without its plus tag, and at Gmail without dots. It is for
 * counting alone: who they are, only the address says.
 */
export function mailboxOf(address: string): string {
  const untagged = address.replace(/^(.[^+@]*)\+[^@]*/, '$1');
  if (!GMAIL.includes(domainOf(address))) return untagged;
  return `${untagged.slice(0, untagged.lastIndexOf('@')).replaceAll('.', '')}@gmail.com`;
}

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** An email address in any spelling; the output is normalized. */
export const Address = z.pipe(
  z.string({ error: 'Email is required' }).check(z.minLength(1, 'Email is required')),
  z.transform((raw, context) => {
    const address = normalizeAddress(raw);
    if (address) return address;
    context.issues.push({ code: 'custom', input: raw, message: 'Enter a valid email address' });
    return z.NEVER;
  }),
);
