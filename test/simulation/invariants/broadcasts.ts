import type { Item } from '#core/storage/table.store.ts';
import { decidedAs } from '../audiences.ts';
import { isCapped } from '../caps.ts';
import { firstMinuteAt } from '../clocks.ts';
import { isDeleted } from '../endings.ts';
import type { Claimed, History, Skipped } from '../history.ts';
import { isHeldOut } from '../holdouts.ts';
import type { FinishedRun } from '../invariants.ts';
import { hashesOn } from '../passes.ts';
import { IGNORED } from '../reference.ts';
import { LONGEST_PAUSE } from '../sending.ts';
import { hoursOf, memberZoneOf, zoneFor } from '../slots.ts';
import { automationKey, isBroadcast, minuteIn } from '../stored.ts';

/** What holds for broadcasts. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const CLOCKS_APART = 5 * SECOND;
/** The longest request that adds a member. */
const STORED_WITHIN = 25 * SECOND;
const CLAIMED_WITHIN = 4 * MINUTE;

/** When it goes to a member. */
function instantFor(history: History, broadcast: Item, list: string, member: Item, at: number): number {
  const { at: instant, local_at } = broadcast.broadcast as { at?: string; local_at?: string };
  if (local_at === undefined) return Date.parse(String(instant));
  const zone = memberZoneOf(member) ?? zoneFor(history, broadcast, list, at);
  return firstMinuteAt(zone, local_at.slice(0, 10), local_at.slice(11));
}

const keptOf = ({ claims }: History) =>
  claims.filter(
    ({ claim, releasedAt }) => releasedAt === undefined && !claim.resends && isBroadcast(claim.automation_id),
  );

const nameOf = ({ organization, hash, claim }: Claimed) => `${organization} ${hash} ${claim.automation_id}`;

export const nobodyGetsTwoEmailsOfABroadcast = ({ history }: FinishedRun): string[] =>
  [...Map.groupBy(keptOf(history), nameOf)]
    .filter(([, claims]) => claims.length > 1)
    .map(([name, claims]) => `${name}: ${claims.map(({ claim }) => `${claim.seq} in ${claim.batch}`)}`);

/** A claim with the instant at which its broadcast goes to its member, if that has not changed in the minutes before. */
function instantOf(history: History, { organization, hash, claim, change }: Claimed) {
  const { list_id: list, automation_id: id } = claim;
  const from = change.at - 2 * MINUTE;
  const versions = history.during(`ORG#${organization}`, automationKey(id), from, change.at + CLOCKS_APART);
  const whens = new Set(versions.flatMap(one => (one ? JSON.stringify(one.broadcast) : [])));
  const broadcast = versions.find(one => one !== undefined);
  const member = history.stableBefore(`R#${organization}#${hash}`, `IN#${list}`, change.at);
  if (!broadcast || whens.size > 1 || !member) return undefined;
  if (!history.isZoneStable(organization, list, change.at)) return undefined;
  return { broadcast, member, instant: instantFor(history, broadcast, list, member, change.at) };
}

export const aBroadcastGoesAtItsInstantToWhoWasThere = ({ history }: FinishedRun): string[] =>
  keptOf(history).flatMap(claimed => {
    const known = instantOf(history, claimed);
    if (!known) return [];
    const at = new Date(known.instant).toISOString();
    const minute = minuteIn(claimed.claim.batch);
    const isAdded = String(known.member.created_at) >= at;
    if (isAdded) return [`${nameOf(claimed)} of ${at} was added at ${known.member.created_at}`];
    return minute < at.slice(0, minute.length)
      ? [`${nameOf(claimed)} of ${at} was claimed in ${minute}`]
      : [];
  });

/** The broadcasts at the end, with the changes of each. */
const broadcastsOf = ({ history, items }: FinishedRun) =>
  items
    .filter(({ PK, SK }) => /^ORG#\d+$/.test(String(PK)) && String(SK).startsWith('CAST#'))
    .filter(({ organization_id }) => !isDeleted(history, Number(organization_id)))
    .map(broadcast => ({
      broadcast,
      changes: history.changesOf(String(broadcast.PK), String(broadcast.SK)),
    }));

export const aBroadcastThatHasBegunEnds = (run: FinishedRun): string[] =>
  broadcastsOf(run)
    .filter(({ broadcast: { status } }) => status === 'scheduled')
    .map(({ broadcast: { SK, begins_at } }) => `${SK} of ${begins_at} waits for ever`);

export const theInstantOfABroadcastStaysOnceItHasBegun = (run: FinishedRun): string[] =>
  broadcastsOf(run).flatMap(({ changes }) =>
    changes
      .filter(({ before, at }) => Date.parse(String(before?.begins_at)) < at - CLOCKS_APART)
      .filter(({ before, after }) => after && !isEqual(before?.broadcast, after.broadcast))
      .map(({ key, after }) => `${key.SK} goes at ${JSON.stringify(after?.broadcast)}`),
  );

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export const aBroadcastWithoutAnInstantGoesAtTheOneOfItsScheduling = (run: FinishedRun): string[] =>
  broadcastsOf(run).flatMap(({ changes }) =>
    changes
      .filter(({ before, after }) => before && !before.broadcast && after?.status === 'scheduled')
      .filter(({ after }) => (after?.broadcast as Item | undefined)?.at !== after?.active_since)
      .map(({ key, after }) => `${key.SK} of ${after?.active_since} goes at ${after?.begins_at}`),
  );

/** Of a broadcast that was sent, or was sent to the rest, where nothing changes about them. */
export const everybodyOfABroadcastIsMailedOrSkipped = (run: FinishedRun): string[] =>
  broadcastsOf(run)
    .filter(({ broadcast: { status } }) => status === 'sent')
    .flatMap(({ broadcast, changes }) => {
      const { history } = run;
      const { id, organization_id: organization, email_list_ids, audience } = broadcast;
      const begun = changes.findLast(
        ({ before, after }) => after?.status === 'scheduled' && before?.active_since !== after.active_since,
      );
      const claims = keptOf(history).filter(({ claim }) => claim.automation_id === id);
      const skips = history.skips.filter(one => one.automation === id);
      const mailed = new Set(claims.map(({ hash }) => hash));
      // Who does not match is left out without a record of when.
      const ends = [...changes, ...claims.map(({ change }) => change), ...skips].map(({ at }) => at);
      const end = audience ? Number.POSITIVE_INFINITY : Math.max(...ends) + MINUTE;
      const since = begun?.at ?? 0;
      // After a failed post, only the list that had claimed them decides again, which they may have left.
      const released = new Set(
        history.claims.flatMap(({ claim, hash, releasedAt }) =>
          claim.automation_id === id && releasedAt !== undefined ? [hash] : [],
        ),
      );
      const isSkipped = (hash: string) =>
        skips.some(
          skip =>
            skip.hash === hash && skip.at >= since && (released.has(hash) || isRightlySkipped(run, skip)),
        );
      return (email_list_ids as string[]).flatMap(list =>
        [...hashesOn(history, Number(organization), list)]
          .filter(hash => !mailed.has(hash) && !isSkipped(hash))
          .filter(hash => isOwed(history, broadcast, { list, hash }, [since, end]))
          .map(hash => {
            const why = skips.flatMap(skip => (skip.hash === hash ? skip.reason : []));
            return `${organization} ${hash} of ${id} on ${list}: ${why.join() || 'nothing'}`;
          }),
      );
    });

function isRightlySkipped({ history, faults }: FinishedRun, skip: Skipped): boolean {
  if (skip.reason === 'held_out') return isHeldOut(history, skip, skip.at);
  const [kind, field = ''] = skip.reason.split(':');
  const due = { organization: skip.organization, at: Date.parse(`${skip.minute}:00Z`) };
  const all = history.claims.filter(one => one.hash === skip.hash && one.organization === skip.organization);
  const within = MINUTE + (faults.counts.has('sender paused') ? LONGEST_PAUSE : 0);
  return kind === 'capped' && isCapped(field, skip.at, due, { history, all, within });
}

/** Whether a member gets a broadcast: added before its instant, subscribed, matching, and without a change since. */
function isOwed(
  history: History,
  broadcast: Item,
  { list, hash }: { list: string; hash: string },
  [since, end]: [since: number, end: number],
): boolean {
  const organization = Number(broadcast.organization_id);
  const [configuration, person] = [String(broadcast.PK), `R#${organization}#${hash}`];
  const member = history.at(person, `IN#${list}`, end);
  const isThere = history.at(configuration, `LIST#${list}`, end) !== undefined;
  if (!isThere || member?.status !== 'subscribed' || history.at(person, 'HEAD', end)?.suppression)
    return false;
  const instant = instantFor(history, broadcast, list, member, end);
  const [born] = history.changesOf(person, `IN#${list}`);
  const isInTime =
    Date.parse(String(member.created_at)) < instant && born && born.at < instant + STORED_WITHIN;
  const from = Math.max(Math.min(instant, since) - MINUTE, (born?.at ?? 0) + 1);
  // People without a time zone of their own are passed once, by that of then.
  const zonesFrom = memberZoneOf(member) === undefined ? Math.min(from, since) : from;
  const isZoneOther = ['META', `LIST#${list}`].some(SK => {
    const zones = history.during(configuration, SK, zonesFrom, end).map(version => version?.time_zone);
    return new Set(zones).size > 1;
  });
  if (!isInTime || isZoneOther || JSON.stringify(broadcast.audience ?? '').includes('"days_')) return false;
  if (history.isChanged(person, `IN#${list}`, from, end, IGNORED)) return false;
  if (history.isChanged(person, 'HEAD', from, end, ['email', 'GSI1PK', 'GSI1SK'])) return false;
  const email = { organization, hash, list, automation: String(broadcast.id) };
  return decidedAs(history, email, instant, [Math.max(from, since), end]) === true;
}

/** Without faults, if nothing has held it up. */
export const aBroadcastGoesAtOnceWhereNothingGoesWrong = (run: FinishedRun): string[] => {
  const { history, model, isCalm } = run;
  if (!isCalm || model.isCrowded) return [];
  return keptOf(history).flatMap(claimed => {
    const { organization, claim, change } = claimed;
    const { instant } = instantOf(history, claimed) ?? {};
    const versions = history.changesOf(`ORG#${organization}`, automationKey(claim.automation_id));
    const begun = versions.find(({ after }) => after?.status === 'scheduled');
    const isStopped = versions.some(
      ({ after }) => ['draft', 'stopped'].includes(String(after?.status)) && after !== versions[0]?.after,
    );
    const isHeld = hoursOf(history, organization).some(({ quiet_hours }) => quiet_hours.length > 0);
    const lists = history.changesOf(`ORG#${organization}`, `LIST#${claim.list_id}`);
    const isWarmedUp = lists.some(({ after }) => after?.warm_up);
    if (instant === undefined || !begun || isStopped || isHeld || isWarmedUp) return [];
    const late = change.at - Math.max(instant, begun.at);
    return late > CLAIMED_WITHIN ? [`${nameOf(claimed)} was claimed ${late / SECOND} s late`] : [];
  });
};
