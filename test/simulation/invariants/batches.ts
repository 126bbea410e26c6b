import { endings, isDeleted } from '../endings.ts';
import type { FinishedRun } from '../invariants.ts';
import { type Sent, sendName } from '../stored.ts';

/** What holds for batches at the end of a run. */

/** The items of a deleted organization are purged, so they do not count. */
export const nothingIsLeftClaimed = ({ history }: FinishedRun): string[] =>
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

export const whatABatchSaysIsWhatTheProviderKnows = ({ history, provider }: FinishedRun): string[] => {
  const accepted = new Set(history.ledger.map(({ send }) => send));
  return [...endings(history)].flatMap(([{ id, organization }, state]) => {
    if (isDeleted(history, organization)) return [];
    if (state === 'unknown' || state === 'posting' || provider.rejected.has(id)) return [];
    const isRight = accepted.has(id) === (state === 'sent');
    return isRight ? [] : [`${id} is ${state}, and ${accepted.has(id) ? '' : 'not '}accepted`];
  });
};

const LETTERS = { gmail: 'g', outlook: 'o', yahoo: 'y', apple: 'a', other: 'x' };

/** By day, combination and mailbox provider. An outcome that only an event of the provider proves is counted from the claim instead. */
export const aBatchCountsWhatItSent = ({ history }: FinishedRun): string[] => {
  const claims = new Map(
    history.claims.map(one => [`${one.organization} ${one.claim.batch} ${one.id}`, one]),
  );
  return history.batches.flatMap(({ organization, head, sends, parts }) => {
    const isSent = head.state === 'sent' || head.state === 'mixed';
    const others = Object.values(parts);
    const sent = sends.filter(({ hash, seq }) => isSent && !others.some(part => part.has(`${hash}#${seq}`)));
    const dayOf = ({ hash, seq }: Sent) =>
      claims.get(`${organization} ${head.batch} ${sendName(organization, hash, seq)}`)?.claim.at.slice(0, 10);
    const letterOf = ({ hash, seq }: Sent) =>
      LETTERS[
        claims.get(`${organization} ${head.batch} ${sendName(organization, hash, seq)}`)?.claim.mailbox ??
          'other'
      ];
    const expected = Map.groupBy(sent, one => `${dayOf(one)} ${one.combination}${letterOf(one)}`);
    const counted = Object.entries(head.counts ?? {}).flatMap(([day, of]) =>
      Object.entries(of).map(([combination, count]): [string, number] => [`${day} ${combination}`, count]),
    );
    const isRight =
      counted.length === expected.size &&
      counted.every(([key, count]) => expected.get(key)?.length === count);
    return isRight || isDeleted(history, organization) ? [] : [`${head.batch}: ${JSON.stringify(counted)}`];
  });
};

/** Later events about its emails are stored in their claims. */
export const whatBecameOfABatchStays = ({ history }: FinishedRun): string[] =>
  history
    .changesWithin('ORG#', '')
    .filter(({ before, after }) => before?.type === 'batch' && after && before.state !== 'posting')
    .filter(
      ({ before, after }) => before?.state !== after?.state || isDifferent(before?.counts, after?.counts),
    )
    .map(({ key, before, after }) => `${key.SK} was ${before?.state}, and is ${after?.state}`);

const isDifferent = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
