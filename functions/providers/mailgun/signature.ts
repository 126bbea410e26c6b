import { createHmac, timingSafeEqual } from 'node:crypto';
import { fieldOf } from './field.ts';

/** As https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks describes it. */
export type Signature = {
  timestamp: string;
  token: string;
  /** The second one of a subaccount is that of the account above it. */
  signatures: Buffer[];
};

const WITHIN = 5 * 60;
const LONGEST_TOKEN = 200;
// Of one length, so that no digit of the token counts as one of the timestamp.
const SECONDS = /^\d{10}$/;
const SHA256 = /^[0-9a-f]{64}$/;

const bytesIn = (hex: unknown) =>
  typeof hex === 'string' && SHA256.test(hex) ? [Buffer.from(hex, 'hex')] : [];

/** The signature of a webhook; undefined where it is none, or of more than five minutes before or after now. */
export function readSignature(value: unknown, now: Date): Signature | undefined {
  const seconds = fieldOf(value, 'timestamp');
  // Not whatever can be made a text of: an object may fail at that.
  const timestamp = typeof seconds === 'number' ? String(seconds) : seconds;
  const token = fieldOf(value, 'token');
  const signatures = ['signature', 'parent-signature'].flatMap(name => bytesIn(fieldOf(value, name)));
  if (typeof timestamp !== 'string' || !SECONDS.test(timestamp)) return undefined;
  if (typeof token !== 'string' || token.length > LONGEST_TOKEN) return undefined;
  const isFresh = Math.abs(now.getTime() / 1000 - Number(timestamp)) <= WITHIN;
  return isFresh && signatures.length > 0 ? { timestamp, token, signatures } : undefined;
}

export function isSignedWith(key: string, { timestamp, token, signatures }: Signature): boolean {
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest();
  return signatures.some(signature => timingSafeEqual(signature, expected));
}
