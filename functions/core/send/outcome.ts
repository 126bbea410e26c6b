import type { Reason, SendStatus } from '../../../shared/send.ts';
import * as batches from '../batch/batch.ts';

export type Outcome = { status: SendStatus; reason: Reason | null };

/** After this time, nobody is posting a batch any more. */
const POSTING = 2 * 60 * 1000;

const SENT: Outcome = { status: 'sent', reason: null };
const FAILED: Outcome = { status: 'failed', reason: 'refused' };
const UNKNOWN: Outcome = { status: 'unknown', reason: 'no_answer' };

type Judged = batches.Send & Outcome;

/** How the sends of a batch ended; without those that are being sent, or that are tried again. */
export function outcomesOf(head: batches.Head, sends: batches.Send[], now: Date): Judged[] {
  const all = (outcome: Outcome | undefined) => (outcome ? sends.map(send => ({ ...send, ...outcome })) : []);
  switch (head.state) {
    case 'sent':
      return all(SENT);
    case 'failed':
      return all(FAILED);
    case 'unknown':
      return all(UNKNOWN);
    case 'posting':
      return all(now.getTime() - Date.parse(head.at) > POSTING ? UNKNOWN : undefined);
    case 'released':
      return all(head.reason ? { status: 'skipped', reason: head.reason as Reason } : undefined);
    case 'mixed': {
      const [failed, unknown, released] = [head.failed, head.unknown, head.released].map(namedIn);
      return sends.flatMap(send => {
        const name = nameOf(send);
        if (released?.has(name)) return [];
        const outcome = failed?.has(name) ? FAILED : unknown?.has(name) ? UNKNOWN : SENT;
        return [{ ...send, ...outcome }];
      });
    }
  }
}

const nameOf = ({ hash, seq }: batches.Send) => `${hash}-${seq}`;
const namedIn = (bytes: Uint8Array = new Uint8Array()) => new Set(batches.unpacked(bytes).map(nameOf));
