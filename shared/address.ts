import * as z from 'zod/mini';

// RFC 5321, 4.5.3.1: at most 64 octets before the @, and at most 254 characters, as a path has 256 with its brackets.
const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

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

/** Normalizes a domain name: lower case, internationalized names in punycode. Returns undefined if it is not one. */
export function normalizeDomain(raw: string): string | undefined {
  const domain = raw.trim().toLowerCase();
  // A URL parser drops these characters, or reads them as something other than a name.
  if (/[\s\p{Cc}/\\?#@:%[\]]/u.test(domain)) return undefined;
  // Names in ASCII are converted too: a URL parser takes a name that ends in a number such as 0xa for an IPv4 address, or
  // rejects it.
  const ascii = toAscii(domain);
  return ascii && DOMAIN.test(ascii) && !/\.\d+$/.test(ascii) ? ascii : undefined;
}

function toAscii(domain: string): string | undefined {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : undefined;
}

// https://support.google.com/mail/answer/7436150
const GMAIL = ['gmail.com', 'googlemail.com'];

/** Without its plus tag, and at Gmail without dots. For counting only: a person is identified by the address. */
export function mailboxOf(address: string): string {
  const untagged = address.replace(/^(.[^+@]*)\+[^@]*/, '$1');
  if (!GMAIL.includes(domainOf(address))) return untagged;
  return `${untagged.slice(0, untagged.lastIndexOf('@')).replaceAll('.', '')}@gmail.com`;
}

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

export const Address = z.pipe(
  z.string({ error: 'Email is required' }).check(z.minLength(1, 'Email is required')),
  z.transform((raw, context) => {
    const address = normalizeAddress(raw);
    if (address) return address;
    context.issues.push({ code: 'custom', input: raw, message: 'Enter a valid email address' });
    return z.NEVER;
  }),
);
