import { createHmac, timingSafeEqual } from 'node:crypto';
import { PARTS, type Part } from '../../../shared/email/content.ts';

/** What the links and the picture of an email are for: a token of one purpose is none of another. */
export type Purpose = 'open' | 'click' | 'unsubscribe';
const CODES: Record<Purpose, number> = { open: 1, click: 2, unsubscribe: 3 };
const PATHS: Record<Purpose, string> = { open: '/t/o', click: '/t/c', unsubscribe: '/t/u' };

/** An email, by its claim in a recipient's journal. */
export type Sent = { organization: number; hash: string; seq: number };
/** Where a click leads, and in which part of the content the link stands. */
export type Destination = { url: string; part: Part };
export type Token = Sent & Partial<Destination>;

const VERSION = 1;
const HASH_BYTES = 16;
const ORGANIZATION_BYTES = 6;
const FIXED_BYTES = 2 + ORGANIZATION_BYTES + HASH_BYTES + 4 + 1;
const SIGNATURE_BYTES = 16;

const parts = Object.keys(PARTS) as Part[];
const NO_PART = 255;

/** The address of a tracking endpoint, with a signed token that says all it needs to know. */
export const trackedUrl = (base: string, key: string, purpose: Purpose, token: Token) =>
  `${base}${PATHS[purpose]}/${sign(key, purpose, token)}`;

export function sign(
  key: string,
  purpose: Purpose,
  { organization, hash, seq, url = '', part }: Token,
): string {
  const body = Buffer.alloc(FIXED_BYTES + Buffer.byteLength(url));
  let at = body.writeUInt8(VERSION, 0);
  at = body.writeUInt8(CODES[purpose], at);
  at = body.writeUIntBE(organization, at, ORGANIZATION_BYTES);
  at += Buffer.from(hash, 'base64url').copy(body, at, 0, HASH_BYTES);
  at = body.writeUInt32BE(seq, at);
  at = body.writeUInt8(part === undefined ? NO_PART : parts.indexOf(part), at);
  body.write(url, at);
  return Buffer.concat([signatureOf(key, body), body]).toString('base64url');
}

/** What a token says; undefined where it is forged, of another purpose, or none at all. */
export function readToken(key: string, purpose: Purpose, token: string): Token | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Other texts may stand for the same bytes.
  if (bytes.length < SIGNATURE_BYTES + FIXED_BYTES || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(key, body))) return undefined;
  if (body[0] !== VERSION || body[1] !== CODES[purpose]) return undefined;
  const hashAt = 2 + ORGANIZATION_BYTES;
  const part = parts[body[FIXED_BYTES - 1] ?? NO_PART];
  return {
    organization: body.readUIntBE(2, ORGANIZATION_BYTES),
    hash: body.subarray(hashAt, hashAt + HASH_BYTES).toString('base64url'),
    seq: body.readUInt32BE(hashAt + HASH_BYTES),
    ...(part && { part, url: body.subarray(FIXED_BYTES).toString() }),
  };
}

const signatureOf = (key: string, body: Buffer) =>
  createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES);
