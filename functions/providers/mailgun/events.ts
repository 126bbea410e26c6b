import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Meaning, ProviderEvent, SignedEvent } from '#core/provider.ts';
import { fieldOf, reasonOf, sendIn } from '../event.ts';

export function readSignedEvent(body: unknown, now: Date): SignedEvent | undefined {
  const signature = readSignature(fieldOf(body, 'signature'), now);
  return (
    signature && {
      isSignedWith: key => isSignedWith(key, signature),
      event: readEvent(fieldOf(body, 'event-data')),
    }
  );
}

/** As https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks describes it. */
type Signature = {
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

/** Undefined where it is none, or of more than five minutes before or after now. */
function readSignature(value: unknown, now: Date): Signature | undefined {
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

const bytesIn = (hex: unknown) =>
  typeof hex === 'string' && SHA256.test(hex) ? [Buffer.from(hex, 'hex')] : [];

function isSignedWith(key: string, { timestamp, token, signatures }: Signature): boolean {
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest();
  return signatures.some(signature => timingSafeEqual(signature, expected));
}

/** Undefined where it says nothing that is noted, or is about no email of ours. */
function readEvent(data: unknown): ProviderEvent | undefined {
  const meaning = meaningOf(data);
  const send = sendIn(fieldOf(fieldOf(data, 'user-variables'), 'send'));
  if (!meaning || !send) return undefined;
  return { meaning, send, provider: 'mailgun', reason: reasonIn(fieldOf(data, 'delivery-status')) };
}

// https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-types
const EVENTS = new Map<unknown, Meaning>([
  ['accepted', 'accepted'],
  ['delivered', 'delivered'],
  ['opened', 'accepted'],
  ['clicked', 'accepted'],
  ['complained', 'complaint'],
  ['unsubscribed', 'unsubscribed'],
  ['rejected', 'rejected'],
]);

// Why a message that failed for good did so: anything else is a mail server that did not take it for hours.
const REASONS = new Map<unknown, Meaning>([
  ['bounce', 'hard'],
  // Because of an earlier bounce: this email was not tried.
  ['suppress-bounce', 'rejected'],
  ['suppress-complaint', 'complaint'],
  ['suppress-unsubscribe', 'unsubscribed'],
]);

function meaningOf(data: unknown): Meaning | undefined {
  const event = fieldOf(data, 'event');
  if (event !== 'failed') return EVENTS.get(event);
  const severity = fieldOf(data, 'severity');
  if (severity === 'permanent') return REASONS.get(fieldOf(data, 'reason')) ?? 'soft';
  // Mailgun still tries.
  return severity === 'temporary' ? 'accepted' : undefined;
}

function reasonIn(status: unknown): string {
  const code = fieldOf(status, 'code');
  const words = [fieldOf(status, 'message'), fieldOf(status, 'description')].find(
    text => typeof text === 'string' && text.trim() !== '',
  );
  const isCode = Number.isInteger(code) && Number(code) >= 100 && Number(code) <= 999;
  return reasonOf(isCode ? String(code) : undefined, fieldOf(status, 'enhanced-code'), words);
}
