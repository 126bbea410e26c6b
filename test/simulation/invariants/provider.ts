import type { Item } from '#core/storage/table.store.ts';
import { WINDOWS } from '#shared/safeguards.ts';
import { isDeleted } from '../endings.ts';
import type { Posted } from '../history.ts';
import type { FinishedRun } from '../invariants.ts';
import { marksIn } from '../provider.ts';
import { isBroadcast, journalKey, minuteIn, packIn, turnsOf } from '../stored.ts';

/** What holds for posted emails by the provider's clock and ledger. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The longest request of a user. */
const STORED_WITHIN = MINUTE;
const CLOCKS_APART = 5 * SECOND;
/** How long data that was read may be used. */
const FRESH = 5 * SECOND;
/** A claim counts from its minute if it was stored two minutes later, is posted a minute after that, and may arrive late. */
const LATE = 4 * MINUTE;
/** A claim is posted within a minute after its person was read, which may have taken a minute. */
const POSTED_WITHIN = 2 * MINUTE + CLOCKS_APART;

/** In any window, apart from emails that are a few minutes late: those count from their minute. */
export const noWindowOfTheProvidersClockIsOverItsCap = ({ history, start }: FinishedRun): string[] =>
  [...Map.groupBy(history.ledger, ({ send }) => send.replace(/-\d+$/, '')).values()].flatMap(mails =>
    mails.flatMap(({ at, send }) => {
      const { organization } = history.claimOf(send) ?? {};
      const changes = history.changesOf(`ORG#${organization}`, 'SAFEGUARDS');
      const set = changes.findLast(change => change.at <= at.getTime())?.after ?? {};
      if (set.enabled === false) return [];
      return WINDOWS.flatMap(({ field, length, initial }) => {
        const from = at.getTime() - length;
        // Limits that were set for the first time count as changed too, as there are defaults.
        const isChanged = changes.some(
          change => change.at > start && change.at > from - LATE && change.at <= at.getTime(),
        );
        if (isChanged) return [];
        const within = mails.filter(other => other.at.getTime() > from + LATE && other.at <= at);
        const cap = Number(set[field] ?? initial);
        return within.length > cap ? [`${send} is number ${within.length} of ${cap} in ${field}`] : [];
      });
    }),
  );

export const aClaimIsPostedSoonOrNever = ({ history }: FinishedRun): string[] =>
  history.posts.flatMap(({ at, claims }) =>
    claims
      .filter(({ change }) => at - change.at > POSTED_WITHIN)
      .map(({ id, change }) => `${id} was posted ${(at - change.at) / SECOND} s after its claim`),
  );

type ListKey = { organization: string; list: string; key: string };
const listOf = ({ message: { key } }: Posted): ListKey => {
  const [, organization = '', list = ''] = key.split('-');
  return { organization, list, key };
};

const versionsOf = ({ history }: FinishedRun, post: Posted, from: number, to: number) => {
  const { organization, list } = listOf(post);
  return history.during(`ORG#${organization}`, `LIST#${list}`, from, to);
};

export const nothingIsPostedToAListThatWaits = (run: FinishedRun): string[] =>
  run.history.posts
    .filter(post => {
      const waits = (item: Item | undefined) =>
        isDeniedKey(item, post) || Date.parse(String(pausedIn(item, post) ?? '')) > post.at + CLOCKS_APART;
      return versionsOf(run, post, post.at - FRESH, post.at).every(waits);
    })
    .map(post => `${post.process} posted for ${listOf(post).list} at ${new Date(post.at).toISOString()}`);

const isFirst = (item: Item | undefined, { message: { provider } }: Posted) =>
  (item?.provider ?? 'mailgun') === provider;
const pausedIn = (item: Item | undefined, post: Posted) =>
  isFirst(item, post) ? item?.paused_until : item?.second_paused_until;
const isDeniedKey = (item: Item | undefined, { message: { provider } }: Posted) =>
  provider === 'mailgun' && (item?.connection as { valid?: boolean } | undefined)?.valid === false;

/** How long a provider throttles before it is left for the second one. */
const LEFT_AFTER = 15 * MINUTE;

/** After the first one has denied, could not be reached, or has throttled for long. */
export const theSecondProviderWaitsForItsTurn = (run: FinishedRun): string[] =>
  run.history.posts
    .filter(post => {
      const isLeft = (item: Item | undefined) => {
        const { reason, since } = (item?.failing ?? {}) as { reason?: string; since?: string };
        const isLong = Date.parse(String(since)) + LEFT_AFTER <= post.at + CLOCKS_APART;
        return item?.second_provider ? isLong || (reason !== undefined && reason !== 'throttled') : true;
      };
      const isDenied = (item: Item | undefined) =>
        (item?.connection as { valid?: boolean } | undefined)?.valid === false;
      const versions = versionsOf(run, post, post.at - POSTED_WITHIN, post.at);
      return !versions.some(item => isFirst(item, post) || isLeft(item) || isDenied(item));
    })
    .map(post => `${post.process} used it for ${listOf(post).list} at ${new Date(post.at).toISOString()}`);

/** Whose time is reserved is claimed from then on. */
export const reservedTimeIsWaitedFor = ({ history, environment: { queued } }: FinishedRun): string[] => {
  const turns = turnsOf(queued.packs);
  return history.claims.flatMap(({ id, claim, change }) => {
    const pack = packIn(claim.batch);
    const time = turns.get(pack) ?? 0;
    return change.at < time - 2 * CLOCKS_APART ? [`${id} of ${pack} was claimed too soon`] : [];
  });
};

const DENIED = [401, 403, 404];

/** Only if the process was alive when the response arrived. */
export const aListWaitsThatTheProviderRefuses = (run: FinishedRun): string[] => {
  const { scheduler } = run.environment;
  return run.history.posts.flatMap(post => {
    const { answer, answered = 0 } = post;
    const isDenied = DENIED.includes(answer?.status ?? 0);
    if (!answer || (!isDenied && answer.status !== 429)) return [];
    if (!run.provider.seen.has(answer) || !scheduler.ended.has(post.process)) return [];
    const until = answered + (answer.retryAfter ?? 0) * SECOND - CLOCKS_APART;
    const after = versionsOf(run, post, answered, Number.POSITIVE_INFINITY);
    const isOfKey = post.message.provider === 'mailgun';
    const hasOtherKey = (item: Item | undefined) => !String(item?.sending_key).endsWith(post.message.key);
    const stops = (item: Item | undefined) =>
      isDenied && isOfKey
        ? isDeniedKey(item, post) || hasOtherKey(item)
        : Date.parse(String(pausedIn(item, post) ?? '')) >= until;
    // A deleted list sends nothing any more.
    const isGone =
      after.some(item => item === undefined) || isDeleted(run.history, Number(listOf(post).organization));
    return isGone || after.some(stops) ? [] : [`${listOf(post).list} goes on after ${answer.status}`];
  });
};

/** An item that was stored later, as on since before the minute in which the email was due, counts as on. */
export const whatWasOffStaysUnsent = ({ history }: FinishedRun): string[] =>
  history.ledger.flatMap(({ send }) => {
    const claimed = history.claimOf(send);
    // A broadcast that was stopped goes on when all is on again.
    if (!claimed || claimed.claim.resends || isBroadcast(claimed.claim.automation_id)) return [];
    const { organization, claim } = claimed;
    const due = Date.parse(`${minuteIn(claim.batch)}:00Z`);
    const wasOff = (item: Item | undefined) =>
      item?.active === false || Date.parse(String(item?.active_since)) >= due + MINUTE;
    const isOff = (SK: string) =>
      history.during(`ORG#${organization}`, SK, due, due + MINUTE + STORED_WITHIN).every(wasOff);
    return ['META', `LIST#${claim.list_id}`, `AUTO#${claim.automation_id}`]
      .filter(isOff)
      .map(SK => `${send} of ${minuteIn(claim.batch)} was sent, and ${SK} was off`);
  });

/** The parts in the combination of the claim, all of them linked to the automation when it was claimed. */
export const everyMailHasTheContentOfItsClaim = ({ history, store }: FinishedRun): string[] =>
  history.ledger.flatMap(({ send, content }) => {
    const claimed = history.claimOf(send);
    if (!claimed || isDeleted(history, claimed.organization)) return [];
    const { organization, claim, change } = claimed;
    const PK = `ORG#${organization}#CONTENT`;
    const combination = store.read({ PK, SK: `COMBO#${claim.combination}` }, true) ?? {};
    const chosen: [kind: string, id: string][] = combination.template_id
      ? [['template', String(combination.template_id)]]
      : Object.entries((combination.assets ?? {}) as Record<string, string>);
    const texts = chosen.map(([, id]) => JSON.stringify(store.read({ PK, SK: `TEXT#${id}` }, true) ?? {}));
    const expected = marksIn(texts.join());
    const isRight =
      expected.size > 0 && expected.size === content.size && [...expected].every(one => content.has(one));
    const since = change.at - MINUTE - CLOCKS_APART;
    const linked = history.during(PK, `LINKED#${claim.automation_id}`, since, change.at);
    const isLinked = ([kind, id]: [string, string]) =>
      claim.resends !== undefined || linked.some(item => (item?.[kind] as Set<string> | undefined)?.has(id));
    return isRight && chosen.every(isLinked)
      ? []
      : [`${send} says ${[...content]}, its combination ${[...expected]} of ${chosen.map(String)}`];
  });

export const nothingIsSentAgainThatHasArrived = ({ history }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, organization, hash, claim, change, releasedAt }) => {
    if (claim.resends === undefined || releasedAt !== undefined) return [];
    const original = history.before(`R#${organization}#${hash}`, journalKey(claim.resends), change);
    return original?.outcome === 'sent' || original?.delivered_at ? [`${id} had arrived before`] : [];
  });

/** The email is sent again, or can be requested once more. */
export const noRequestToResendIsForgotten = ({ history, items }: FinishedRun): string[] => {
  const again = new Set(
    history.claims
      .filter(({ releasedAt }) => releasedAt === undefined)
      .map(({ organization, hash, claim }) => `R#${organization}#${hash} ${claim.resends}`),
  );
  return items
    .filter(({ PK, type, resend, seq }) => type === 'send' && resend && !again.has(`${PK} ${seq}`))
    .map(({ PK, SK }) => `${PK} ${SK} waits for ever`);
};
