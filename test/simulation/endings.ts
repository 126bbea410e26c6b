import { type Head, unpacked } from '../../functions/core/sending/batch/batch.ts';
import type { Claimed, Ended, History } from './history.ts';

type State = 'sent' | 'failed' | 'unknown' | 'released' | 'posting';

const idOf = (hash: string, seq: number) => `${hash}#${seq}`;
const sendsIn = (packed: Uint8Array | undefined) =>
  new Set(packed ? unpacked(packed).map(({ hash, seq }) => idOf(hash, seq)) : []);

/** What events have said of a send that the answer left open. */
const provenIn = ({ proven, rejected }: Head, send: string): State =>
  proven?.has(send) ? 'sent' : rejected?.has(send) ? 'failed' : 'unknown';

/** What became of each send of a batch. */
function statesOf({ head, sends }: Ended): Map<string, State> {
  const parts = (['failed', 'unknown', 'released'] as const).map(
    state => [state, sendsIn(head[state])] as const,
  );
  return new Map(
    sends.map(({ hash, seq }) => {
      const id = idOf(hash, seq);
      const part = parts.find(([, ids]) => ids.has(id))?.[0];
      const answered = head.state === 'mixed' ? (part ?? 'sent') : head.state;
      return [id, answered === 'unknown' ? provenIn(head, `${hash}-${seq}`) : answered];
    }),
  );
}

export const isDeleted = (history: History, organization: number) =>
  history.changesOf(`ORG#${organization}`, 'META').some(({ after }) => after?.deleted_at);

type Endings = Map<Claimed, State | undefined>;
const known = new WeakMap<History, Endings>();

/** What became of each claim: undefined where it is in no batch. */
export function endings(history: History): Endings {
  const found = known.get(history) ?? endingsOf(history);
  known.set(history, found);
  return found;
}

function endingsOf(history: History): Endings {
  const byBatch = new Map(
    history.batches.map(one => [`${one.organization} ${one.head.batch}`, statesOf(one)]),
  );
  return new Map(
    history.claims.map(claimed => {
      const { organization, hash, claim } = claimed;
      return [claimed, byBatch.get(`${organization} ${claim.batch}`)?.get(idOf(hash, claim.seq))];
    }),
  );
}
