import type { NotSent, Outcome, OutgoingEmail } from '#core/provider.ts';
import { contentKey } from './write-once.ts';

/** `invalid`: the request names something that the provider does not take. */
export type Answer = Outcome | Outcome[] | { kind: 'invalid' };

/** Addresses that fail one by one, before the rest fails unseen. */
const MOST_FAILURES = 12;

type Grouping<Message> = {
  /** Of emails in one request. */
  most: number;
  message: (group: OutgoingEmail[]) => Message;
  fits: (message: Message, group: OutgoingEmail[]) => boolean;
  /** An outcome for all of the group, or for each. */
  post: (message: Message) => Promise<Answer>;
};

/** Posts emails in as few requests as it takes. Where the provider finds a fault, halves are posted, to find what it does not take. */
export async function postInGroups<Message>(
  emails: OutgoingEmail[],
  { most, message, fits, post }: Grouping<Message>,
): Promise<Outcome[]> {
  const outcomes = new Map<OutgoingEmail, Outcome>();
  const setOutcome = (group: OutgoingEmail[], outcome: Outcome) => {
    for (const email of group) outcomes.set(email, outcome);
  };
  // In a part of them, neighbours share more.
  const sorted = emails.toSorted((a, b) => (contentKey(a) < contentKey(b) ? -1 : 1));
  const waiting = Array.from({ length: Math.ceil(sorted.length / most) }, (_, at) =>
    sorted.slice(at * most, (at + 1) * most),
  );
  let failures = 0;
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    if (failures >= MOST_FAILURES) {
      setOutcome(group, { kind: 'refused' });
      continue;
    }
    const written = message(group);
    const isDivisible = group.length > 1;
    const answer: Answer = isDivisible && !fits(written, group) ? { kind: 'invalid' } : await post(written);
    if (Array.isArray(answer))
      for (const [at, outcome] of answer.entries()) setOutcome(group.slice(at, at + 1), outcome);
    else if (answer.kind !== 'invalid') setOutcome(group, answer);
    else if (isDivisible) waiting.unshift(...halvesOf(group));
    else {
      failures++;
      setOutcome(group, { kind: 'refused' });
    }
    const stopped = [answer].flat().find(({ kind }) => kind === 'not_sent');
    if (stopped) setOutcome(waiting.splice(0).flat(), stopped as NotSent);
  }
  return emails.map(email => outcomes.get(email) ?? { kind: 'unknown' });
}

function halvesOf<T>(whole: T[]): T[][] {
  const half = Math.ceil(whole.length / 2);
  return [whole.slice(0, half), whole.slice(half)];
}

export const notSent = (reason: NotSent['reason'], seconds = 0): NotSent => ({
  kind: 'not_sent',
  reason,
  seconds,
});
