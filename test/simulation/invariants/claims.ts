import { WINDOWS } from '#shared/safeguards.ts';
import type { Claimed } from '../history.ts';
import type { FinishedRun } from '../invariants.ts';
import { packIn } from '../stored.ts';

const MINUTE = 60 * 1000;
const CLOCKS_APART = 5_000;

export const nobodyIsClaimedWhoUnsubscribedOrIsSuppressed = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, organization, hash, claim, change, releasedAt }) => {
    if (releasedAt !== undefined) return [];
    const person = `R#${organization}#${hash}`;
    const membership = history.before(person, `IN#${claim.list_id}`, change);
    const head = history.before(person, 'HEAD', change);
    const off = membership?.status !== 'subscribed' ? (membership?.status ?? 'nobody') : head?.suppression;
    return off ? [`${id} was claimed: ${off}`] : [];
  });

const personOf = ({ organization, hash }: Claimed) => `${organization} ${hash}`;

/** The claims of a person that were not released, oldest first. */
const kept = (claims: Claimed[]) =>
  [...Map.groupBy(claims, personOf).values()].map(all =>
    all.filter(({ releasedAt }) => releasedAt === undefined),
  );

export const noRollingWindowIsOverItsCap = ({ history, start }: FinishedRun): string[] =>
  kept(history.claims).flatMap(claims =>
    claims.flatMap(({ id, organization, claim, change }) => {
      const changes = history.changesOf(`ORG#${organization}`, 'SAFEGUARDS');
      // If limits were changed during the run, emails that counted for the earlier limits also count for these.
      const set = changes.findLast(({ at }) => at <= change.at)?.after ?? {};
      const isChanging = changes.some(({ at }) => Math.abs(at - change.at) < 10 * MINUTE && at > start);
      if (set.enabled === false || isChanging) return [];
      const at = Date.parse(claim.at);
      return WINDOWS.flatMap(({ field, length, initial }) => {
        const cap = Number(set[field] ?? initial);
        const within = claims.filter(other => {
          const instant = Date.parse(other.claim.at);
          return other.claim.seq <= claim.seq && instant > at - length && instant <= at;
        });
        return within.length > cap ? [`${id} is number ${within.length} of ${cap} in ${field}`] : [];
      });
    }),
  );

/** Of several emails to one person in a minute, a limit leaves room for what earns most on that day. */
export const whatEarnsMostComesFirst = ({ history }: FinishedRun): string[] => {
  const claimsOf = Map.groupBy(history.claims, personOf);
  return history.skips.flatMap(({ organization, hash, automation, pack, reason, at }) => {
    const { order, earners = {} } = history.at(`ORG#${organization}`, 'SAFEGUARDS', at) ?? {};
    if (order !== 'value' || !reason.startsWith('capped:')) return [];
    const claims = claimsOf.get(`${organization} ${hash}`) ?? [];
    return claims.flatMap(({ id, claim }) => {
      if (packIn(claim.batch) !== pack) return [];
      const best = (earners as Record<string, string[]>)[claim.at.slice(0, 10)] ?? [];
      const [skipped, sent] = [automation, claim.automation_id].map(one => [...best, one].indexOf(one));
      return (skipped ?? 0) < (sent ?? 0) ? [`${id} was claimed in place of ${automation}`] : [];
    });
  });
};

/** From the minute of its pack if it was stored in time, else from when it was stored; never before the previous entry. */
export const everyClaimCountsFromItsInstant = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, claim, change, releasedAt }) => {
    // A process that was paused for too long before it stored a claim never posts it.
    if (releasedAt !== undefined) return [];
    const due = Date.parse(`${claim.batch.split('#')[0]}:00.000Z`);
    const at = Date.parse(claim.at);
    const isOfMinute = at === due && change.at - due <= 6 * MINUTE;
    const isOfClaim = at <= change.at + CLOCKS_APART && at > due;
    return isOfMinute || isOfClaim ? [] : [`${id} counts from ${claim.at}`];
  });

export const theInstantsOfClaimsNeverGoBack = ({ history }: FinishedRun): string[] =>
  [...Map.groupBy(history.claims, personOf).values()].flatMap(claims => {
    const bySeq = claims.toSorted((a, b) => a.claim.seq - b.claim.seq);
    return bySeq
      .filter(({ claim }, at) => claim.at < (bySeq[at - 1]?.claim.at ?? ''))
      .map(({ id, claim }) => `${id} counts from ${claim.at}, before the claim before it`);
  });

export const aCopyFollowsItsFirstEmail = ({ history }: FinishedRun): string[] => {
  const byPerson = Map.groupBy(history.claims, personOf);
  return history.claims
    .filter(
      ({ claim: { resends, key }, releasedAt }) =>
        releasedAt === undefined && !resends && !key.endsWith('#1'),
    )
    .filter(claimed => {
      const { claim, change } = claimed;
      const key = claim.key.replace(/\d$/, '1');
      const due = Date.parse(`${claim.batch.split('#')[0]}:00.000Z`);
      const isFirst = (first: Claimed) =>
        first.claim.key === key &&
        first.change.sequence < change.sequence &&
        Date.parse(first.claim.at) <= due;
      return !byPerson.get(personOf(claimed))?.some(isFirst);
    })
    .map(({ id, claim }) => `${id} is ${claim.key}, without its first`);
};
