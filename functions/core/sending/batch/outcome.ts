import type { Reason, SendStatus } from '../../../../shared/send.ts';
import { type Head, nameOf, type Send, unpacked } from './batch.store.ts';

export type Outcome = { status: SendStatus; reason: Reason | null };

/** After this time, nobody is posting a batch any more. */
const POSTING = 2 * 60 * 1000;

export const isBeingPosted = ({ state, at }: Head, now: Date) =>
  state === 'posting' && now.getTime() - Date.parse(at) <= POSTING;

const SENT: Outcome = { status: 'sent', reason: null };
const FAILED: Outcome = { status: 'failed', reason: 'refused' };
const UNKNOWN: Outcome = { status: 'unknown', reason: 'no_answer' };

type Judged = Send & Outcome;

/** How the sends of a batch ended; without those that are being sent, or that are tried again. */
export function outcomesOf(head: Head, sends: Send[], now: Date): Judged[] {
  const outcomeOf = outcomesIn(head, now);
  return sends.flatMap(send => {
    const outcome = head.proven?.has(nameOf(send)) ? SENT : outcomeOf(nameOf(send));
    return outcome ? [{ ...send, ...outcome }] : [];
  });
}

function outcomesIn(head: Head, now: Date): (name: string) => Outcome | undefined {
  const { state, reason, rejected } = head;
  const open = (name: string) => (rejected?.has(name) ? FAILED : UNKNOWN);
  switch (state) {
    case 'sent':
      return () => SENT;
    case 'failed':
      return () => FAILED;
    case 'unknown':
      return open;
    case 'posting':
      return () => (isBeingPosted(head, now) ? undefined : UNKNOWN);
    case 'released':
      return () => (reason ? { status: 'skipped', reason: reason as Reason } : undefined);
    case 'mixed': {
      const [failed, unknown, released] = partsOf(head);
      return name =>
        released.has(name) ? undefined : failed.has(name) ? FAILED : unknown.has(name) ? open(name) : SENT;
    }
  }
}

const partsOf = ({ failed, unknown, released }: Head) =>
  [failed, unknown, released].map(namedIn) as [Set<string>, Set<string>, Set<string>];
const namedIn = (bytes: Uint8Array = new Uint8Array()) => new Set(unpacked(bytes).map(nameOf));

/** Whether the provider's answer left open what became of a send, whatever its events have said since. */
export function isOpen(head: Head, send: Send): boolean {
  if (head.state === 'mixed') return partsOf(head)[1].has(nameOf(send));
  return head.state === 'unknown';
}

/** Whether the provider may have taken a send. */
export function mayBeSent(head: Head, send: Send): boolean {
  if (head.state !== 'mixed') return head.state !== 'failed' && head.state !== 'released';
  const [failed, , released] = partsOf(head);
  return !failed.has(nameOf(send)) && !released.has(nameOf(send));
}
