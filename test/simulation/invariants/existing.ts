import type { Item } from '#core/storage/table.store.ts';
import type { Claimed, History } from '../history.ts';
import type { FinishedRun } from '../invariants.ts';
import { hashesOn, isUnchanged, type Of, passesIn, RESOLVED } from '../passes.ts';
import { aroundAt, begunFor, type Due, dayOfEmail, emailsOf, triggerOf } from '../reference.ts';

/** What holds for people who were members already when something was switched on, and are included in that. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STOPS_WITHIN = 5 * SECOND;
/** After it, a switch is no change of the last two minutes. */
const SETTLED = 3 * MINUTE;

const minuteOf = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

/** Of two claims of one occurrence, `noOccurrenceIsMailedTwiceToAPerson`. */
const keptOf = (history: History) =>
  Map.groupBy(
    history.claims.filter(({ claim, releasedAt }) => releasedAt === undefined && !claim.resends),
    ({ organization, hash, claim }) => `${organization} ${hash} ${claim.automation_id}`,
  );

/** The automation, the member and the settings, if none has changed in the two minutes before an instant. */
function stableAt(history: History, organization: number, of: Of, at: number) {
  const automation = history.stableBefore(`ORG#${organization}`, `AUTO#${of.automation}`, at);
  const member = history.stableBefore(`R#${organization}#${of.hash}`, `IN#${of.list}`, at);
  const isZoneStable = history.isZoneStable(organization, of.list, at);
  if (!automation || !member || !isZoneStable) return undefined;
  return { automation, list: of.list, member, around: aroundAt(history, automation, of.list, at) };
}
type Stable = NonNullable<ReturnType<typeof stableAt>>;

const ofClaim = ({ hash, claim }: Claimed): Of => ({
  hash,
  list: claim.list_id,
  automation: claim.automation_id,
});

function dueBetween({ automation, list, member, around }: Stable, from: number, until: number): Due[] {
  const due = emailsOf(automation, list, member, from, until, around);
  return due.filter(({ copy }) => copy === 1).sort((a, b) => a.at - b.at);
}

function firstOf(stable: Stable): Due | undefined {
  const due = triggerOf(stable.automation, stable.member) + Number(stable.automation.delay_days) * DAY;
  return dueBetween(stable, due - DAY, due + 12 * DAY)[0];
}

const dayOf = ({ automation, member, around }: Stable, at: number) =>
  dayOfEmail(automation, member, around, at);

/** Since the switch, until an instant or on its day. */
const isDueAnyway = (stable: Stable, since: number, at: number) =>
  dueBetween(stable, minuteOf(since), at + 3 * DAY).some(
    one => one.at <= at || one.key.split('#')[1] === dayOf(stable, at),
  );

const utcDay = (at: number) => new Date(Math.floor(at / DAY) * DAY).toISOString();

/** The instant of the switch that a claim was included in. */
function sinceOf({ environment: { queued } }: FinishedRun) {
  const known = new Map(
    queued.packs.map(({ minute, id, sources }) => [
      `${minute}#${id}`,
      sources.find(({ existing }) => existing !== undefined)?.existing,
    ]),
  );
  return ({ claim }: Claimed) => known.get(claim.batch.split('#').slice(0, 2).join('#'));
}

/** The email that was due first, before the switch, to whoever had no other since, nor was due one anyway. */
export const whoIsIncludedGetsTheFirstEmailThatWasDue = (run: FinishedRun): string[] => {
  const { history } = run;
  const kept = keptOf(history);
  const since = sinceOf(run);
  return history.claims.flatMap(claimed => {
    const { id, organization, hash, claim, change, releasedAt } = claimed;
    const stable = stableAt(history, organization, ofClaim(claimed), change.at);
    if (!claim.existing || releasedAt !== undefined || !stable) return [];
    if (begunFor(stable.automation, stable.list, stable.member)) return [];
    const switched = Date.parse(since(claimed) ?? '');
    const first = firstOf(stable);
    if (first?.key !== claim.key || !(first.at < minuteOf(switched))) return [`${id} is ${claim.key}`];
    const all = kept.get(`${organization} ${hash} ${claim.automation_id}`) ?? [];
    const before = all.find(other => other.claim.seq < claim.seq && other.claim.at >= utcDay(first.at));
    if (before) return [`${id} is ${claim.key} after ${before.id}, which is ${before.claim.key}`];
    return isDueAnyway(stable, switched, Date.parse(claim.at)) ? [`${id} is ${claim.key}: due anyway`] : [];
  });
};

export const nobodyWhoIsIncludedGetsAnotherEmailOnThatDay = ({ history }: FinishedRun): string[] =>
  [...keptOf(history).values()].flatMap(all =>
    all
      .filter(({ claim }) => claim.existing)
      .flatMap(one => {
        const later = all.filter(({ claim }) => claim.seq > one.claim.seq && claim.key.endsWith('#1'));
        return later.flatMap(other => {
          const stable = stableAt(history, other.organization, ofClaim(other), other.change.at);
          if (!stable) return [];
          const at = other.claim.existing
            ? dayOf(stable, Date.parse(other.claim.at))
            : other.claim.key.split('#')[1];
          const isSame = dayOf(stable, Date.parse(one.claim.at)) === at;
          return isSame ? [`${other.id} is ${other.claim.key}, on the day of ${one.id}`] : [];
        });
      }),
  );

export const nobodyIsIncludedOnceItWasSwitchedOff = (run: FinishedRun): string[] => {
  const { history } = run;
  const since = sinceOf(run);
  return history.posts.flatMap(({ at, claims }) =>
    claims
      .filter(claimed => {
        const { organization, claim } = claimed;
        const versions = history.during(
          `ORG#${organization}`,
          `AUTO#${claim.automation_id}`,
          at - STOPS_WITHIN,
          at,
        );
        const isOff = (item: Item | undefined) => String(item?.active_since) > String(since(claimed));
        return claim.existing && versions.every(isOff);
      })
      .map(({ id }) => `${id} was posted at ${new Date(at).toISOString()}`),
  );
};

/** Where nothing changes meanwhile. */
export const whoeverIsThereAlreadyIsMailedOrSkipped = (run: FinishedRun): string[] => {
  const { history, environment } = run;
  const kept = keptOf(history);
  return passesIn(history).flatMap(({ organization, list, id, existing, at }) => {
    const automation = history.at(`ORG#${organization}`, `AUTO#${id}`, at);
    // That of a later step finds only people for whom the sequence has begun.
    if ((automation?.begun as Item | undefined)?.[list]) return [];
    const packs = environment.queued.packs.filter(pack =>
      pack.sources.some(source => source.automation === id && source.existing === existing),
    );
    const names = new Set(packs.map(pack => `${pack.minute}#${pack.id}`));
    return [...hashesOn(history, organization, list)].flatMap(hash => {
      const isCalm = isUnchanged(
        history,
        organization,
        { hash, list, automation: id },
        { at, since: existing },
      );
      const stable = isCalm && stableAt(history, organization, { hash, list, automation: id }, at + RESOLVED);
      if (!stable || String(stable.member.created_at) >= existing) return [];
      const first = firstOf(stable);
      if (!first || first.at >= minuteOf(Date.parse(existing))) return [];
      const own = packs.filter(({ people }) => people.some(([person]) => person === hash));
      const latest = Math.max(...own.map(pack => Date.parse(`${pack.minute}Z`)), Date.parse(existing));
      const isPostponed = own.some(({ attempt = 0 }) => attempt > 0);
      // Nobody gets a step twice, whatever their date.
      const { sequence_id, created_at } = stable.automation;
      const since = utcDay(sequence_id ? Date.parse(String(created_at)) : first.at);
      // What mails once for each date may have had other times when it did.
      const isOfDate = ({ trigger }: Claimed['claim']) =>
        first.once !== undefined && trigger?.slice(0, 10) === first.once;
      // A step is still to come to them by another list, on which they were when this was decided, sooner or later.
      const others = (stable.automation.email_list_ids as string[]).filter(
        other => sequence_id && other !== list,
      );
      const isOnTheWay = others.some(other => {
        const of = { hash, list: other, automation: id };
        return [latest + SETTLED, latest + RESOLVED].some(decided => {
          const there = stableAt(history, organization, of, decided);
          if (there?.member.status !== 'subscribed') return false;
          const until = latest + (Number(there.automation.delay_days) + 12) * DAY;
          const begins = minuteOf(triggerOf(there.automation, there.member));
          return begins <= latest && dueBetween(there, latest, until).length > 0;
        });
      });
      const isRecorded =
        isOnTheWay ||
        kept
          .get(`${organization} ${hash} ${id}`)
          // The first one may have gone before its minute was changed.
          ?.some(({ claim }) => claim.at >= since || claim.key === first.key || isOfDate(claim)) ||
        history.skips.some(skip => skip.hash === hash && skip.automation === id && names.has(skip.pack)) ||
        isDueAnyway(stable, Date.parse(existing), latest + (isPostponed ? RESOLVED : 0));
      return isRecorded ? [] : [`${organization} ${hash} of ${id} since ${existing}: ${own.length} packs`];
    });
  });
};
