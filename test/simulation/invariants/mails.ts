import type { Item } from '#core/storage/table.store.ts';
import type { Claimed, History } from '../history.ts';
import type { FinishedRun } from '../invariants.ts';
import { unsubscribeTokenIn } from '../readers.ts';
import { LONGEST_PAUSE } from '../sending.ts';
import { hoursEver, hoursOf, isQuiet } from '../slots.ts';
import { automationKey, hashOf, minuteIn } from '../stored.ts';

/** What holds for the posted emails. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** How long after an unsubscribe or a switch a call may still begin. */
const STOPS_WITHIN = 5 * SECOND;

export const noOccurrenceIsMailedTwiceToAPerson = ({ history }: FinishedRun): string[] => {
  const keyOf = (send: string | undefined) => {
    const { organization, hash, claim } = history.claimOf(send) ?? {};
    return claim ? `${organization} ${hash} ${claim.key}` : String(send);
  };
  return [...Map.groupBy(history.ledger, ({ send }) => keyOf(send))]
    .filter(([, mails]) => mails.length > 1)
    .map(([key, mails]) => `${key}: ${mails.map(({ at, send }) => `${at.toISOString()} ${send}`)}`);
};

export const everyMailHasAClaimThatIsNotReleased = ({ history }: FinishedRun): string[] =>
  history.ledger.flatMap(({ send }) => {
    const claimed = history.claimOf(send);
    if (!claimed) return [`${send} was sent, and never claimed`];
    return claimed.releasedAt === undefined ? [] : [`${send} was sent, and released`];
  });

export const keySenderAndListOfAPostBelongToItsOrganization = ({ history }: FinishedRun): string[] =>
  history.posts.flatMap(({ message, claims }) =>
    claims
      .filter(({ organization, claim }) => {
        const lists = history.changesOf(`ORG#${organization}`, `LIST#${claim.list_id}`);
        const isKey = message.key.startsWith(`key-${organization}-${claim.list_id}-`);
        const isSender = lists.some(
          ({ after: list }) =>
            list?.domain === message.domain &&
            message.from === `"${list.sender_name}" <${list.sender_address}>`,
        );
        return !isKey || !isSender;
      })
      .map(({ id }) => `${id} was posted with ${message.key} from ${message.from}`),
  );

export const everyUnsubscribeTokenIsThatOfItsMember = ({ history }: FinishedRun): string[] =>
  history.ledger.flatMap(({ to, headers, send, provider }) => {
    const token = unsubscribeTokenIn(headers);
    const named = token && `${token.organization}-${token.hash}-${token.seq}`;
    // SES writes one of its own.
    const isNamed = provider === 'ses' || headers['Message-Id']?.includes(send);
    const isRight = named === send && token?.hash === hashOf(to) && isNamed;
    return isRight ? [] : [`${send} to ${to} has a token of ${named}`];
  });

/** The minutes in which the emails of a batch were due. */
const dueOf = ({ claim }: Claimed) => Date.parse(`${minuteIn(claim.batch)}:00Z`);
/** An email that is at most this late is sent, even in quiet hours. */
const PUNCTUAL = 2 * MINUTE;
/** The time from when a process reads the quiet hours until it may begin its last call: its timeout, by its own clock. */
const LOOKED_WITHIN = MINUTE;
const CLOCKS_APART = 5 * SECOND;

/** Apart from emails of the last two minutes. A process uses the hours as they were when it began, or when it was paused. */
export const nothingIsPostedInQuietHoursButWhatHasJustFallenDue = ({
  history,
  faults,
}: FinishedRun): string[] => {
  const isPaused = faults.counts.has('sender paused');
  const within = LOOKED_WITHIN + CLOCKS_APART;
  const quietAllTheTime = (hours: ReturnType<typeof hoursOf>, at: number) =>
    [at, at - MINUTE, at - within].every(instant => isQuiet(hours, instant));
  return history.posts.flatMap(({ at, claims }) =>
    claims
      .filter(({ organization }) => {
        const known = hoursEver(history, organization, at - within - (isPaused ? LONGEST_PAUSE : 0));
        return [known, hoursOf(history, organization)].every(hours => quietAllTheTime(hours, at));
      })
      .filter(claimed => at - dueOf(claimed) > PUNCTUAL + within)
      .map(
        ({ id, claim }) => `${id} of ${minuteIn(claim.batch)} was posted at ${new Date(at).toISOString()}`,
      ),
  );
};

/** No person is queued twice for the same date. */
export const aPackNamesNobodyTwice = ({ environment: { queued } }: FinishedRun): string[] =>
  queued.packs.flatMap(({ id, minute, people }) =>
    people
      .filter(([, dues]) => new Set(dues.map(due => due.join(' '))).size < dues.length)
      .map(([hash]) => `${hash} in ${minute}#${id}`),
  );

const isSubscribed = (item: Item | undefined) => item?.status === 'subscribed';
const isUnsuppressed = (item: Item | undefined) => !item?.suppression;

const isSending = (automation: Item | undefined) =>
  automation?.active === true && !['draft', 'cancelled', 'stopped'].includes(String(automation.status));

/** Items that were off during the whole span before a post. */
function offBefore(
  history: History,
  { organization, hash, claim }: Claimed,
  from: number,
  to: number,
): string[] {
  const { list_id, automation_id } = claim;
  const configuration = `ORG#${organization}`;
  const person = `R#${organization}#${hash}`;
  const was = (PK: string, SK: string, isOn: (item: Item | undefined) => boolean) =>
    history.during(PK, SK, from, to).some(isOn) ? [] : [SK];
  return [
    ...was(configuration, 'META', item => item?.active === true && !item.deleted_at),
    ...was(
      configuration,
      `LIST#${list_id}`,
      item => item?.active === true && (item.provider === 'ses' || item.sending_key !== undefined),
    ),
    ...was(
      configuration,
      automationKey(automation_id),
      item => isSending(item) && ((item?.email_list_ids ?? []) as string[]).includes(list_id),
    ),
    ...was(person, `IN#${list_id}`, isSubscribed),
    ...was(person, 'HEAD', isUnsuppressed),
  ];
}

export const whatIsOffIsPostedForNoLongerThanFiveSeconds = ({ history }: FinishedRun): string[] =>
  history.posts.flatMap(({ at, claims }) =>
    claims.flatMap(claimed => {
      const off = offBefore(history, claimed, at - STOPS_WITHIN, at);
      return off.map(SK => `${claimed.id} was posted at ${new Date(at).toISOString()}: ${SK}`);
    }),
  );
