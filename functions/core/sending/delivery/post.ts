import type * as list from '../../list/list/list.ts';

/** One call of the provider: what is the same for all, and for each recipient what differs. */
export type Message = {
  from: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  recipients: { email: string; variables: Record<string, string> }[];
};

/** What the provider's answer means. */
export type Answer =
  | { kind: 'accepted'; id: string }
  /** It names something in the message that it does not take. */
  | { kind: 'invalid' }
  /** The key does not hold for the domain. */
  | { kind: 'denied' }
  | { kind: 'throttled'; seconds: number }
  | { kind: 'refused' }
  /** Not a byte arrived. */
  | { kind: 'unreached' }
  /** It may have been accepted. */
  | { kind: 'unknown' };

/** Posts a message, once. It never throws. */
export type Post = (access: list.Access, message: Message) => Promise<Answer>;

export type Part<T> = { of: T[]; ending: 'sent' | 'failed' | 'unknown' | Released };
/** Certainly not sent, and to be tried again. */
export type Released = { seconds: number; denied?: true };

/** Addresses that fail one by one, before the rest fails unseen. */
const MOST_FAILURES = 12;
const NO_WAIT = 0;

/**
 * Posts to everybody in one call. Where the provider finds a fault, the halves are posted, to find the addresses that it
 * does not take. What is not accepted for another reason ends the posting: the rest is released.
 */
export async function postAll<T>(
  all: T[],
  post: (some: T[]) => Promise<Answer>,
): Promise<{ parts: Part<T>[]; ids: string[] }> {
  const parts: Part<T>[] = [];
  const ids: string[] = [];
  const waiting = [all];
  let failures = 0;
  for (let some = waiting.shift(); some; some = waiting.shift()) {
    if (failures >= MOST_FAILURES) {
      parts.push({ of: some, ending: 'failed' });
      continue;
    }
    const answer = await post(some);
    if (answer.kind === 'accepted') ids.push(answer.id);
    if (answer.kind === 'invalid' && some.length > 1) {
      const half = Math.ceil(some.length / 2);
      waiting.unshift(some.slice(0, half), some.slice(half));
      continue;
    }
    if (answer.kind === 'invalid') failures++;
    const ending = endingOf(answer);
    parts.push({ of: some, ending });
    if (typeof ending === 'string') continue;
    for (const rest of waiting.splice(0)) parts.push({ of: rest, ending });
  }
  return { parts, ids };
}

function endingOf(answer: Answer): Part<never>['ending'] {
  switch (answer.kind) {
    case 'accepted':
      return 'sent';
    case 'invalid':
    case 'refused':
      return 'failed';
    case 'denied':
      return { seconds: NO_WAIT, denied: true };
    case 'throttled':
      return { seconds: answer.seconds };
    case 'unreached':
      return { seconds: NO_WAIT };
    case 'unknown':
      return 'unknown';
  }
}
