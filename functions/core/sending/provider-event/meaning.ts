/** What an event of Mailgun says of an email. All but `rejected` also show that Mailgun accepted it. */
export type Meaning = 'hard' | 'soft' | 'complaint' | 'unsubscribed' | 'accepted' | 'rejected';

export type ProviderEvent = {
  meaning: Meaning;
  /** The user variable that names the email. */
  send: string;
  /** What the other mail server said. */
  reason: string;
};

// https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-types
const EVENTS = new Map<unknown, Meaning>([
  ['accepted', 'accepted'],
  ['delivered', 'accepted'],
  ['opened', 'accepted'],
  ['clicked', 'accepted'],
  ['complained', 'complaint'],
  ['unsubscribed', 'unsubscribed'],
  ['rejected', 'rejected'],
]);

// Why a message that failed for good did so: anything else is a mail server that did not take it for hours.
const REASONS = new Map<unknown, Meaning>([
  ['bounce', 'hard'],
  ['suppress-bounce', 'hard'],
  ['suppress-complaint', 'complaint'],
  ['suppress-unsubscribe', 'unsubscribed'],
]);

/** The value of a field, whatever the sender of a JSON has put there. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

function meaningOf(data: unknown): Meaning | undefined {
  const event = fieldOf(data, 'event');
  if (event !== 'failed') return EVENTS.get(event);
  const severity = fieldOf(data, 'severity');
  if (severity === 'permanent') return REASONS.get(fieldOf(data, 'reason')) ?? 'soft';
  // Mailgun still tries.
  return severity === 'temporary' ? 'accepted' : undefined;
}

const LONGEST_SEND = 60;

/** The `event-data` of a webhook; undefined where it says nothing that is noted, or is about no email of ours. */
export function readEvent(data: unknown): ProviderEvent | undefined {
  const meaning = meaningOf(data);
  const send = fieldOf(fieldOf(data, 'user-variables'), 'send');
  if (!meaning || typeof send !== 'string' || send.length > LONGEST_SEND) return undefined;
  return { meaning, send, reason: reasonIn(fieldOf(data, 'delivery-status')) };
}

const LONGEST_REASON = 300;
// Also those that change the direction of what follows, and half characters, which no table stores.
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
// An erased person leaves no address behind.
const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g;

/** The code and the words of a mail server, as text. */
function reasonIn(status: unknown): string {
  const code = fieldOf(status, 'code');
  const words = [fieldOf(status, 'message'), fieldOf(status, 'description')].find(
    text => typeof text === 'string' && text.trim() !== '',
  );
  const isCode = Number.isInteger(code) && Number(code) >= 100 && Number(code) <= 999;
  const text = [...(isCode ? [String(code)] : []), ...(typeof words === 'string' ? [words] : [])].join(' ');
  // Whatever is longer is not looked through.
  const shown = text
    .slice(0, 10 * LONGEST_REASON)
    .replace(UNSHOWN, ' ')
    .replace(ADDRESS, '[address]')
    .trim();
  return [...shown].slice(0, LONGEST_REASON).join('');
}
