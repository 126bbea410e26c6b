import { type Head, unpacked } from '../../../functions/core/batch/batch.ts';
import { countsIn } from '../../../functions/core/rollup/rollup.ts';
import type { Claimed, Ended, History } from '../history.ts';
import type { Rest } from '../invariants.ts';

/** What holds of the batches at rest. */

type State = 'sent' | 'failed' | 'unknown' | 'released' | 'posting';

const idOf = (hash: string, seq: number) => `${hash}#${seq}`;
const sendsIn = (packed: Uint8Array | undefined) =>
  new Set(packed ? unpacked(packed).map(({ hash, seq }) => idOf(hash, seq)) : []);

/** What became of each send of a batch. */
function statesOf({ head, sends }: Ended): Map<string, State> {
  const parts = (['failed', 'unknown', 'released'] as const).map(
    state => [state, sendsIn(head[state])] as const,
  );
  return new Map(
    sends.map(({ hash, seq }) => {
      const id = idOf(hash, seq);
      const part = parts.find(([, ids]) => ids.has(id))?.[0];
      return [id, head.state === 'mixed' ? (part ?? 'sent') : head.state];
    }),
  );
}

const isDeleted = (history: History, organization: number) =>
  history.changesOf(`ORG#${organization}`, 'META').some(({ after }) => after?.deleted_at);

/** What became of each claim: undefined where it is in no batch. */
function endings(history: History): Map<Claimed, State | undefined> {
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

/** What a deleted organization has left is purged. */
export const nothingIsLeftClaimed = ({ history }: Rest): string[] =>
  [...endings(history)].flatMap(([{ id, organization, claim, releasedAt }, state]) => {
    if (isDeleted(history, organization)) return [];
    const isReleased = releasedAt !== undefined;
    const isRight = isReleased
      ? state === undefined || state === 'released'
      : ['sent', 'failed', 'unknown'].includes(state ?? '');
    return isRight
      ? []
      : [`${id} of ${claim.batch} is ${isReleased ? 'released' : 'claimed'}, and ${state ?? 'in no batch'}`];
  });

export const whatABatchSaysIsWhatTheProviderKnows = ({ history }: Rest): string[] => {
  const accepted = new Set(history.ledger.map(({ variables }) => variables.send));
  return [...endings(history)].flatMap(([{ id }, state]) => {
    if (state === 'unknown' || state === 'posting') return [];
    const isRight = accepted.has(id) === (state === 'sent');
    return isRight ? [] : [`${id} is ${state}, and ${accepted.has(id) ? '' : 'not '}accepted`];
  });
};

/** The heads of the batches, and the rollups of each day. */
export const theCountersAreThoseOfTheLedger = ({ history, world: { store } }: Rest): string[] => {
  const expected = new Map<string, number>();
  const sentOf = new Map<string, number>();
  for (const [{ organization, claim }, state] of endings(history)) {
    if (state !== 'sent') continue;
    const batch = `${organization} ${claim.batch}`;
    sentOf.set(batch, (sentOf.get(batch) ?? 0) + 1);
    const key = `${organization} ${claim.at.slice(0, 10)} ${claim.combination}`;
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const rollups = new Map(
    [...store.all()]
      .filter(({ PK }) => String(PK).endsWith('#REPORT'))
      .flatMap(item => {
        const [organization, combination] = [String(item.PK).split('#')[1], String(item.SK).split('#')[1]];
        return [...countsIn(item)].map(([day, { sent = 0 }]): [string, number] => [
          `${organization} ${day} ${combination}`,
          sent,
        ]);
      }),
  );
  const keys = new Set([...expected.keys(), ...rollups.keys()]);
  const isWrong = ({ organization, head }: { organization: number; head: Head }) =>
    head.sent !== (sentOf.get(`${organization} ${head.batch}`) ?? 0);
  return [
    ...[...keys]
      .filter(key => (expected.get(key) ?? 0) !== (rollups.get(key) ?? 0))
      .map(key => `${key}: ${rollups.get(key)}, not ${expected.get(key)}`),
    ...history.batches.filter(isWrong).map(({ head }) => `${head.batch}: ${head.sent} sent`),
  ];
};
