import { endings, isDeleted } from '../endings.ts';
import type { Rest } from '../invariants.ts';

/** What holds of the batches at rest. */

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

export const whatABatchSaysIsWhatTheProviderKnows = ({ history, world: { provider } }: Rest): string[] => {
  const accepted = new Set(history.ledger.map(({ variables }) => variables.send));
  return [...endings(history)].flatMap(([{ id }, state]) => {
    if (state === 'unknown' || state === 'posting' || provider.rejected.has(id)) return [];
    const isRight = accepted.has(id) === (state === 'sent');
    return isRight ? [] : [`${id} is ${state}, and ${accepted.has(id) ? '' : 'not '}accepted`];
  });
};

export const theHeadsOfTheBatchesAreThoseOfTheLedger = ({ history }: Rest): string[] => {
  const sentOf = new Map<string, number>();
  for (const [{ organization, claim }, state] of endings(history)) {
    if (state !== 'sent') continue;
    const batch = `${organization} ${claim.batch}`;
    sentOf.set(batch, (sentOf.get(batch) ?? 0) + 1);
  }
  return history.batches
    .filter(({ organization, head }) => head.sent !== (sentOf.get(`${organization} ${head.batch}`) ?? 0))
    .map(({ head }) => `${head.batch}: ${head.sent} sent`);
};
