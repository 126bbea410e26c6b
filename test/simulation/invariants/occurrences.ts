import type { Claim } from '#core/recipient/journal.ts';
import { readTrigger } from '#core/recipient/trigger.ts';
import { decidedAs, type Email } from '../audiences.ts';
import { isCapped, type Known } from '../caps.ts';
import { isDeleted } from '../endings.ts';
import type { History, Skipped } from '../history.ts';
import { isHeldOut } from '../holdouts.ts';
import type { FinishedRun } from '../invariants.ts';
import {
  aroundAt,
  begunFor,
  type Due,
  emailsOf,
  newlyOwed,
  type Owed,
  owed,
  owedBySwitched,
} from '../reference.ts';
import { LONGEST_PAUSE } from '../sending.ts';
import { hasTimes, hoursOf } from '../slots.ts';
import { minuteIn, packIn, turnsOf } from '../stored.ts';
import { isUsedUp } from './warm-ups.ts';

/** What holds for occurrences that were due. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const CLOCKS_APART = 5_000;
const CLAIMED_WITHIN = 2 * MINUTE;
const READ_BEFORE = 5 * SECOND;
/** An hour less than a day: the time that retries take. */
const STILL_SENT = 23 * HOUR;

const nameOf = ({ organization, hash, key, at }: Owed) =>
  `${organization} ${hash} ${key} of ${new Date(at).toISOString()}`;

/** The claims and skips of each person. */
function recordsOf(history: History) {
  const claimsOf = Map.groupBy(history.claims, ({ organization, hash }) => `${organization} ${hash}`);
  const skipsOf = Map.groupBy(history.skips, ({ organization, hash }) => `${organization} ${hash}`);
  return ({ organization, hash, key, at, automation, copy, once }: Owed) => {
    const minute = new Date(at).toISOString().slice(0, 16);
    const all = claimsOf.get(`${organization} ${hash}`) ?? [];
    const ofAutomation = (skipsOf.get(`${organization} ${hash}`) ?? []).filter(
      skip => skip.automation === automation,
    );
    const skips = ofAutomation.filter(({ isForExisting }) => !isForExisting);
    // What mails once for each date may have had other times when it did.
    const isOfDate = ({ automation_id, trigger, key }: Claim) =>
      once !== undefined &&
      automation_id === automation &&
      trigger?.slice(0, 10) === once &&
      key.endsWith(`#${copy}`);
    const claims = all.filter(({ claim }) => claim.key === key || isOfDate(claim));
    // Who was there already, and got their first email on this day, gets no other one on it.
    const instead = all.filter(
      ({ claim }) =>
        claim.existing &&
        claim.automation_id === automation &&
        Math.abs(Date.parse(claim.at) - at) < UNTIL_STALE,
    );
    return {
      claims,
      instead,
      all,
      skips: skips.filter(skip => skip.minute === minute),
      // A change of the automation may have made it the email of another day since it fell due.
      claimsOfMinute: all.filter(
        ({ claim }) => claim.automation_id === automation && claim.batch.startsWith(`${minute}#`),
      ),
      // If another list of the person has claimed the occurrence, the skip of that list counts.
      skipsOfOthers: ofAutomation.filter(skip =>
        (skip.isForExisting ? instead : claims).some(({ claim }) =>
          claim.batch.startsWith(`${skip.minute}#`),
        ),
      ),
    };
  };
}

export const everyOccurrenceIsClaimedOrSkippedWithAReason = (run: FinishedRun): string[] =>
  [owed, owedBySwitched].flatMap(dues =>
    withoutClaimOrSkip(run.history, dues(run.history, run.start, run.until - MINUTE)),
  );

/** However late the dispatcher is, as long as emails of that time are still sent. */
export const whatFellDueBeforeAMemberWasStoredIsClaimedOrSkipped = (run: FinishedRun): string[] => {
  const { history, start, until, outages } = run;
  const ofDispatcher = outages.filter(({ functions }) => functions.includes('dispatcher'));
  const dispatched = (stored: number) =>
    Math.max(stored, ...ofDispatcher.filter(({ from }) => from < stored + HOUR).map(outage => outage.until));
  const inTime = newlyOwed(history, start, until - MINUTE).filter(
    ({ at, stored, isQuiet }) => isQuiet && dispatched(stored) < at + STILL_SENT,
  );
  return withoutClaimOrSkip(history, inTime);
};

/** Whatever has changed since, and whatever happened to its pack; except for packs whose people the sweep finds as well. */
export const whatWasQueuedIsClaimedOrSkipped = ({
  history,
  environment: { queued },
}: FinishedRun): string[] => {
  const keysAt = keysIn(history);
  const known = new Set([
    ...history.claims
      .filter(({ releasedAt }) => releasedAt === undefined)
      .map(({ organization, hash, claim }) => `${organization} ${hash} ${claim.key}`),
    // If a person is in two lists of an automation, both are one occurrence, with one reason.
    ...history.skips.flatMap(({ organization, hash, automation, minute }) =>
      keysAt(organization, automation, minute).map(key => `${organization} ${hash} ${key}`),
    ),
  ]);
  // What mails once for each date may have had other times when it did.
  const dates = new Set(
    history.claims
      .filter(({ releasedAt }) => releasedAt === undefined)
      .map(
        ({ organization, hash, claim }) =>
          `${organization} ${hash} ${claim.automation_id} ${claim.trigger?.slice(0, 10)}`,
      ),
  );
  const isOnce = (organization: number, automation: string) =>
    history
      .changesOf(`ORG#${organization}`, `AUTO#${automation}`)
      .some(({ after }) => after?.repeat === 'once');
  // Who was there already, and got their first email on this day, gets no other one on it.
  const existing = new Map<string, number[]>();
  for (const { organization, hash, claim, releasedAt } of history.claims) {
    if (!claim.existing || releasedAt !== undefined) continue;
    const name = `${organization} ${hash} ${claim.automation_id}`;
    existing.set(name, [...(existing.get(name) ?? []), Date.parse(claim.at)]);
  }
  return (
    queued.packs
      .filter(({ isEarly, isRecheck, resend }) => !isEarly && !isRecheck && !resend)
      // See `whoeverIsThereAlreadyIsMailedOrSkipped`.
      .filter(({ sources }) => sources.every(({ existing }) => existing === undefined))
      .filter(({ organization }) => !isDeleted(history, organization))
      .flatMap(({ id, organization, minute, sources, people }) =>
        people.flatMap(([hash, dues]) =>
          dues.flatMap(([source, trigger]) => {
            const { automation = '', list = '' } = sources[source] ?? {};
            const due = Date.parse(`${minute}:00Z`);
            const email = { organization, hash, automation, list };
            // The sender reads automations shortly before it takes the lease, and people after it.
            const [lease] = history.changesOf(`ORG#${organization}#PACKS`, `${minute}#${id}`);
            const read: [number, number] = [(lease?.at ?? due) - READ_BEFORE, due + UNTIL_STALE];
            if (!decidedAs(history, email, due, read) || isBegunWithin(history, email, read)) return [];
            const keys = keysAt(organization, automation, minute).map(
              key => `${organization} ${hash} ${key}`,
            );
            const instead = `${organization} ${hash} ${automation}`;
            const isInstead = existing.get(instead)?.some(at => Math.abs(at - due) < UNTIL_STALE);
            if (isInstead || keys.some(key => known.has(key))) return [];
            const date = readTrigger(trigger).instant.toISOString().slice(0, 10);
            return dates.has(`${instead} ${date}`) && isOnce(organization, automation)
              ? []
              : [`${hash} of ${automation} in ${minute}#${id}`];
          }),
        ),
      )
  );
};

/** For whom a sequence began as they were there, a pass of their own finds its later steps: packs by their date leave them out. */
function isBegunWithin(history: History, one: Email, [from, to]: [number, number]): boolean {
  const { organization, hash, list, automation } = one;
  const members = history.during(`R#${organization}#${hash}`, `IN#${list}`, from, to);
  return history
    .during(`ORG#${organization}`, `AUTO#${automation}`, from, to)
    .some(step => step && members.some(member => member && begunFor(step, list, member)));
}

/** The possible names of an occurrence in a minute, as the first or a later copy. */
function keysIn(history: History) {
  const timed = new Map<string, boolean>();
  const isTimed = (organization: number, automation: string) =>
    hoursOf(history, organization).some(({ quiet_hours }) => quiet_hours.length > 0) ||
    history
      .changesOf(`ORG#${organization}`, `AUTO#${automation}`)
      .some(({ after }) => after && (hasTimes(after) || after.delay_minutes));
  return (organization: number, automation: string, minute: string): string[] => {
    const isKnown = timed.get(automation) ?? isTimed(organization, automation);
    timed.set(automation, isKnown);
    return [1, 2, 3].flatMap(copy => {
      const first = Date.parse(`${minute}:00Z`) - (copy - 1) * 6 * HOUR;
      const days = isKnown ? LATER : [0];
      return days.map(
        day => `${automation}#${new Date(first + day * 24 * HOUR).toISOString().slice(0, 10)}#${copy}`,
      );
    });
  };
}

/** By how many days an email may be sent before or after its day in UTC, as zones are ahead of UTC and some days are off. */
const LATER = [1, 0, -1, -2, -3, -4, -5, -6, -7];

/** An email is decided when its minute has ended, or when its member was stored, and until it is stale. */
const decidedWithin = ({ at, stored = 0 }: Owed): [number, number] => [
  Math.max(at + MINUTE - CLOCKS_APART, stored + 1),
  at + UNTIL_STALE,
];
const UNTIL_STALE = 26 * HOUR;

/** The occurrences that have neither a claim nor a skip. */
function withoutClaimOrSkip(history: History, all: Owed[]): string[] {
  const find = recordsOf(history);
  return all
    .filter(({ isFound, organization }) => isFound && !isDeleted(history, organization))
    .filter(one => decidedAs(history, one, one.at, decidedWithin(one)))
    .flatMap(one => {
      const { claims, claimsOfMinute, instead, skips, skipsOfOthers } = find(one);
      const isKept = [...claims, ...claimsOfMinute, ...instead].some(
        ({ releasedAt }) => releasedAt === undefined,
      );
      return isKept || skips.length + skipsOfOthers.length > 0
        ? []
        : [`${nameOf(one)}: ${claims.length > 0 ? 'released' : 'nothing'}`];
    });
}

/** Without faults, what is due is claimed when its minute has ended. */
export const whatIsDueIsClaimedAtOnceWhereNothingGoesWrong = (run: FinishedRun): string[] => {
  if (!run.isCalm) return [];
  const find = recordsOf(run.history);
  const turns = turnsOf(run.environment.queued.packs);
  return owed(run.history, run.start, run.until - HOUR)
    .filter(({ isQuiet }) => isQuiet)
    .flatMap(one => {
      const claimed = find(one).claims.find(({ claim }) => claim.list_id === one.list);
      const first = claimed?.change.at ?? one.at;
      const turn = turns.get(packIn(claimed?.claim.batch ?? '')) ?? 0;
      const isInTime = first - Math.max(one.at, turn) <= CLAIMED_WITHIN;
      return isInTime ? [] : [`${nameOf(one)} was claimed at ${new Date(first).toISOString()}`];
    });
};

export const everySkipHasItsReason = (run: FinishedRun): string[] => {
  const { history } = run;
  const find = recordsOf(history);
  // A process stores its decisions when it continues after a pause.
  const isPaused = run.faults.counts.has('sender paused');
  const within = MINUTE + (isPaused ? LONGEST_PAUSE : 0);
  const everything: Owed[] = [
    ...owed(history, run.start - 48 * HOUR, run.until + 48 * HOUR),
    ...newlyOwed(history, run.start, run.until),
  ];
  const newerOf = Map.groupBy(
    everything,
    ({ organization, hash, automation, list }) => `${organization} ${hash} ${automation} ${list}`,
  );
  return everything
    .filter(({ at, isQuiet }) => isQuiet && at >= run.start && at < run.until - MINUTE)
    .flatMap(one => {
      const { all, skips } = find(one);
      // A copy does not count as a newer email than the first one of its occurrence.
      const newer = (newerOf.get(`${one.organization} ${one.hash} ${one.automation} ${one.list}`) ?? [])
        .filter(({ copy }) => one.copy > 1 || copy === 1)
        .map(({ at }) => at);
      // A trigger row may lead to a person before they are stored as a member.
      return skips
        .filter(skip => skip.at >= (one.stored ?? 0) && skip.list === one.list)
        .filter(skip => !isRight(skip, one, { history, all, newer, within }))
        .map(({ reason, at }) => `${nameOf(one)}: ${reason} at ${new Date(at).toISOString()}`);
    });
};

/** Reasons that are found before the conditions are evaluated. */
const BEFORE_CONDITIONS = ['stale', 'dead', 'no_key', 'not_verified'];

/** Who is held out uses up nothing, so no limit is the reason. */
const AFTER_HOLDOUTS = ['no_first', 'warm_up', 'no_content'];

function isRight({ reason, at }: Skipped, one: Owed, known: Known & { newer: number[] }): boolean {
  const { history, newer, within } = known;
  const configuration = `ORG#${one.organization}`;
  const isMatch = decidedAs(history, one, one.at, decidedWithin(one)) !== false;
  if (!isMatch && !BEFORE_CONDITIONS.includes(reason)) return false;
  const isHeld = isHeldOut(history, one, at);
  if (isHeld && (AFTER_HOLDOUTS.includes(reason) || reason.startsWith('capped:'))) return false;
  switch (reason) {
    case 'held_out':
      return isHeld;
    case 'stale':
      return at - one.at > 24 * HOUR - CLOCKS_APART;
    case 'superseded':
      return newer.some(other => other > one.at && other <= at);
    case 'no_key':
      return history
        .during(configuration, `LIST#${one.list}`, at - within, at)
        .some(list => list?.sending_key === undefined);
    case 'not_verified':
      return history
        .during(configuration, `LIST#${one.list}`, at - within, at)
        .some(list => list?.provider === 'ses' && !history.at(`DOMAIN#${list.domain}`, 'OWNER', at));
    case 'no_first':
      return one.copy > 1;
    case 'warm_up':
      return history
        .during(configuration, `LIST#${one.list}`, at - within, at)
        .some(list => isUsedUp(list?.warm_up));
    case 'no_content':
    case 'dead':
      return true;
    default:
      return reason.startsWith('capped:') && isCapped(reason.slice('capped:'.length), at, one, known);
  }
}

/** Each occurrence has one email. Of several missed occurrences, only the newest is sent. */
export const nothingIsSentThatIsSuperseded = ({ history }: FinishedRun): string[] =>
  history.ledger.flatMap(({ send }) => {
    const claimed = history.claimOf(send);
    if (!claimed || claimed.claim.resends || claimed.claim.existing) return [];
    const { organization, hash, claim, change } = claimed;
    // A process may have read the time a minute before its claim is stored.
    const until = Math.floor((change.at - 70 * SECOND) / MINUTE) * MINUTE;
    const automation = history.stableBefore(`ORG#${organization}`, `AUTO#${claim.automation_id}`, change.at);
    const member = history.stableBefore(`R#${organization}#${hash}`, `IN#${claim.list_id}`, change.at);
    if (!automation || !member) return [];
    if (!history.isZoneStable(organization, claim.list_id, change.at)) return [];
    const around = aroundAt(history, automation, claim.list_id, change.at);
    const all = emailsOf(automation, claim.list_id, member, until - 10 * 24 * HOUR, until, around);
    const own = all.find(({ key }) => key === claim.key);
    const isActive = ({ at }: { at: number }) => at + MINUTE > Date.parse(String(automation.active_since));
    const isNewer = (one: Due, than: Due) =>
      one.at > than.at && (one.days > than.days || (than.copy > 1 && one.copy > than.copy));
    const newer = own && all.find(one => isActive(one) && isNewer(one, own));
    return newer ? [`${send} is ${claim.key}, and ${newer.key} was due`] : [];
  });

/** Each claim is for an email that is due for its member in its minute, and is named by its day. */
export const everyClaimIsOfWhatIsDue = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(claimed => {
    const { id, organization, hash, claim, change, releasedAt } = claimed;
    if (claim.resends || claim.existing || releasedAt !== undefined) return [];
    const automation = history.stableBefore(`ORG#${organization}`, `AUTO#${claim.automation_id}`, change.at);
    const member = history.stableBefore(`R#${organization}#${hash}`, `IN#${claim.list_id}`, change.at);
    if (!automation || !member || !history.isZoneStable(organization, claim.list_id, change.at)) return [];
    const minute = minuteIn(claim.batch);
    const at = Date.parse(`${minute}:00Z`);
    const around = aroundAt(history, automation, claim.list_id, change.at);
    const due = emailsOf(automation, claim.list_id, member, at, at + MINUTE, around);
    return due.some(({ key }) => key === claim.key) ? [] : [`${id} is ${claim.key} in ${minute}`];
  });

export const nobodyIsClaimedWhoIsHeldOut = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, organization, hash, claim, change }) => {
    const email = { organization, hash, automation: claim.automation_id };
    return isHeldOut(history, email, change.at) ? [`${id} is ${claim.key}, and its member is held out`] : [];
  });

export const nobodyGetsAnEmailWhoDoesNotMatchItsConditions = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, organization, hash, claim, change, releasedAt }) => {
    if (claim.resends || claim.existing || releasedAt !== undefined) return [];
    const due = Date.parse(`${minuteIn(claim.batch)}:00Z`);
    const email = { organization, hash, list: claim.list_id, automation: claim.automation_id };
    const decided = decidedAs(history, email, due, [change.at - 2 * MINUTE, change.at + CLOCKS_APART]);
    return decided === false ? [`${id} is ${claim.key}, and its member does not match`] : [];
  });
