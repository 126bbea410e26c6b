import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { memoryOf, type Table } from '#core/storage/table.store.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import * as sent from './claim.ts';
import * as click from './journal.ts';
import { HASH_BYTES } from './recipient.key.ts';

/** A token is valid for one purpose only. */
export type Purpose = 'open' | 'click' | 'unsubscribe';
const CODES: Record<Purpose, number> = { open: 1, click: 2, unsubscribe: 3 };
const PATHS: Record<Purpose, string> = { open: '/t/o', click: '/t/c', unsubscribe: '/t/u' };

export type By = 'person' | 'machine';

/** A claim in a recipient's journal, and the second at which its email was rendered. */
export type Sent = { organization: number; hash: string; seq: number; written: Date };
/** `part`: in which the link stands. */
export type Destination = { url: string; part: Part };
/** The language of the page, and what recipients may know of the list: never its internal name. */
export type Addressed = {
  language: string;
  /** Its public name. Empty in links from before lists had one: their pages do not name the list. */
  list: string;
  sender: { name: string; address: string };
  /** The path of its logo; empty if it has none. */
  logo: string;
};

type More = { open: object; click: Destination; unsubscribe: Addressed };
export type Token<P extends Purpose> = Sent & More[P];

const VERSION = 2;
const ORGANIZATION_BYTES = 6;
const HASH_AT = 2 + ORGANIZATION_BYTES;
const FIXED_BYTES = HASH_AT + HASH_BYTES + 4 + 4;
const SIGNATURE_BYTES = 16;

// The link is a line of a header, of which RFC 5322 allows 998 characters; an address has up to 254.
const MOST_NAME_BYTES = 120;

const TEXTS: {
  [P in Purpose]: { write: (more: More[P]) => string; read: (text: string) => More[P] | undefined };
} = {
  open: { write: () => '', read: text => (text === '' ? {} : undefined) },
  click: {
    write: ({ url, part }) => `${PART_NAMES.indexOf(part)}${url}`,
    read: text => {
      const part = PART_NAMES[Number(text[0])];
      return part && { part, url: text.slice(1) };
    },
  },
  unsubscribe: {
    write: ({ language, list, sender: { name, address }, logo }) =>
      [language, shortened(list), name === list ? '' : shortened(name), address, logo].join('\n'),
    read: text => {
      const [language = '', list = '', name = '', address = '', logo = ''] = text.split('\n');
      return list === ''
        ? // An old link has the language, a space and the internal name of the list, which is not shown.
          { language: text.slice(0, text.indexOf(' ')), list, sender: { name, address }, logo }
        : { language, list, sender: { name: name || list, address }, logo };
    },
  },
};

function shortened(name: string): string {
  let short = '';
  for (const character of name) {
    if (Buffer.byteLength(short + character) > MOST_NAME_BYTES) return `${short}…`;
    short += character;
  }
  return short;
}

/** Signs what a domain of a list serves: on any other one, its links are invalid. Without a domain, the key of the stage. */
export const keyFor = (key: string, domain: string | undefined) =>
  domain ? createHmac('sha256', key).update(domain).digest('base64url') : key;

export const trackedUrl = <P extends Purpose>(base: string, key: string, purpose: P, token: Token<P>) =>
  `${base}${PATHS[purpose]}/${sign(key, purpose, token)}`;

/**
 * CloudFront takes a URL of 8,192 bytes, API Gateway a request line and headers of 10,240 together: this leaves 4 KB for headers.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const LONGEST_LINK = 6_000;

/** The destination itself if the address would be too long for a request: its clicks are not counted. */
export function clickUrl(base: string, key: string, token: Token<'click'>): string {
  const address = trackedUrl(base, key, 'click', token);
  return address.length <= LONGEST_LINK ? address : token.url;
}

export function sign<P extends Purpose>(key: string, purpose: P, token: Token<P>): string {
  const { organization, hash, seq, written } = token;
  const text = TEXTS[purpose].write(token);
  const body = Buffer.alloc(FIXED_BYTES + Buffer.byteLength(text));
  let at = body.writeUInt8(VERSION, 0);
  at = body.writeUInt8(CODES[purpose], at);
  at = body.writeUIntBE(organization, at, ORGANIZATION_BYTES);
  at += Buffer.from(hash, 'base64url').copy(body, at, 0, HASH_BYTES);
  at = body.writeUInt32BE(seq, at);
  at = body.writeUInt32BE(Math.floor(written.getTime() / 1000), at);
  body.write(text, at);
  return Buffer.concat([signatureOf(key, body), body]).toString('base64url');
}

/** Undefined if it is forged, of another purpose, or none at all. */
export function readToken<P extends Purpose>(key: string, purpose: P, token: string): Token<P> | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Several texts decode to the same bytes: only one of them is a token.
  if (bytes.length < SIGNATURE_BYTES + FIXED_BYTES || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(key, body))) return undefined;
  if (body[0] !== VERSION || body[1] !== CODES[purpose]) return undefined;
  const more = TEXTS[purpose].read(body.subarray(FIXED_BYTES).toString());
  return (
    more && {
      organization: body.readUIntBE(2, ORGANIZATION_BYTES),
      hash: body.subarray(HASH_AT, HASH_AT + HASH_BYTES).toString('base64url'),
      seq: body.readUInt32BE(HASH_AT + HASH_BYTES),
      written: new Date(body.readUInt32BE(HASH_AT + HASH_BYTES + 4) * 1000),
      ...more,
    }
  );
}

const signatureOf = (key: string, body: Buffer) =>
  createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES);

type Needs = { table: Table; now: Date };

/** The first time; a repetition changes nothing. */
export const recordOpen = async ({ table, now }: Needs, { seq, ...key }: Token<'open'>, by: By) => {
  const as = by === 'person' ? 'opened_at' : 'machine_opened_at';
  await sent.markClaim(table, key, { seq, as, at: now.toISOString() });
};

// The clicks that this process has stored: storing one again would be a failed transaction, which costs as much as another.
const storedIn = memoryOf<true>(5_000);

/** The first time; a repetition changes nothing. */
export async function recordClick(
  { table, now }: Needs,
  { seq, url, part, ...key }: Token<'click'>,
  by: By,
): Promise<void> {
  const known = storedIn(table);
  const name = createHash('sha256')
    .update([key.organization, key.hash, seq, by, part, url].join('\n'))
    .digest('base64url');
  if (known.get(name)) return;
  await click.writeClick(table, key, { seq, url, part, by, at: now.toISOString() });
  known.add(name, true);
}
