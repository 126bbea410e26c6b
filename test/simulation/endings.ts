import type { Claimed, Ended, History, State } from './history.ts';

export type Ending = Exclude<State, 'mixed'>;

const idOf = (hash: string, seq: number) => `${hash}#${seq}`;

/** The outcome of each claim in a batch, as the batch says. */
function statesOf({ head, sends, parts }: Ended): Map<string, Ending> {
  const { state } = head;
  return new Map(
    sends.map(({ hash, seq }) => {
      const id = idOf(hash, seq);
      const part = (['failed', 'unknown', 'released'] as const).find(name => parts[name].has(id));
      return [id, state === 'mixed' ? (part ?? 'sent') : state];
    }),
  );
}

export const isDeleted = (history: History, organization: number) =>
  history.changesOf(`ORG#${organization}`, 'META').some(({ after }) => after?.deleted_at);

type Endings = Map<Claimed, Ending | undefined>;
const known = new WeakMap<History, Endings>();

/** The outcome of each claim; undefined if it is in no batch. */
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
      const { organization, hash, claim, outcome } = claimed;
      const state = byBatch.get(`${organization} ${claim.batch}`)?.get(idOf(hash, claim.seq));
      // If the batch says unknown, the outcome from a later event of the provider is in the claim.
      return [claimed, state === 'unknown' ? (outcome ?? state) : state];
    }),
  );
}
