import type { Marks } from '#core/recipient/journal.ts';
import { endings, isDeleted } from '../endings.ts';
import type { Claimed, History } from '../history.ts';
import type { FinishedRun } from '../invariants.ts';
import { automationHashOf, type Counted, countsIn, journalKey } from '../stored.ts';

/** The marks of sent emails, and how they are counted. */

const COUNTED: [keyof Marks, Counted][] = [
  ['opened_at', 'opened'],
  ['machine_opened_at', 'machine_opened'],
  ['first_clicked_at', 'clicked'],
  ['unsub_clicked_at', 'unsub_clicked'],
  ['unsubscribed_at', 'unsubscribed'],
  ['bounced_at', 'bounced'],
  ['complained_at', 'complained'],
];

const BY_AUTOMATION: Counted[] = ['sent', 'clicked'];

/** Counts by organization, day, combination, automation (if that matters), and what is counted. */
type Fold = Map<string, number>;

function fold(history: History, claims: [Claimed, Counted[]][]): Fold {
  const folded: Fold = new Map();
  for (const [{ organization, claim }, all] of claims) {
    if (isDeleted(history, organization)) continue;
    for (const counted of all) {
      const hash = `${automationHashOf(claim.automation_id)}${claim.weighted ? 'w' : ''}`;
      const automation = BY_AUTOMATION.includes(counted) ? hash : '';
      const key = `${organization} ${claim.at.slice(0, 10)} ${claim.combination}${automation} ${counted}`;
      folded.set(key, (folded.get(key) ?? 0) + 1);
    }
  }
  return folded;
}

function stored({ history, items }: FinishedRun, isWanted: (counted: Counted) => boolean): Fold {
  const reports = items.filter(({ PK }) => String(PK).endsWith('#REPORT'));
  return new Map(
    reports.flatMap(item => {
      const organization = Number(String(item.PK).split('#')[1]);
      if (isDeleted(history, organization)) return [];
      return countsIn(item).flatMap(({ day, counted, combination, automation, count }): [string, number][] =>
        isWanted(counted) ? [[`${organization} ${day} ${combination}${automation} ${counted}`, count]] : [],
      );
    }),
  );
}

const differences = (expected: Fold, found: Fold): string[] =>
  [...new Set([...expected.keys(), ...found.keys()])]
    .filter(key => (expected.get(key) ?? 0) !== (found.get(key) ?? 0))
    .map(key => `${key}: ${found.get(key) ?? 0}, not ${expected.get(key) ?? 0}`);

export const theCountersAreThoseOfTheLedger = (run: FinishedRun): string[] => {
  const sent = [...endings(run.history)].flatMap(([claimed, state]): [Claimed, Counted[]][] =>
    state === 'sent' ? [[claimed, ['sent']]] : [],
  );
  return differences(
    fold(run.history, sent),
    stored(run, counted => counted === 'sent'),
  );
};

export const whatHappensToAnEmailIsCountedOnce = (run: FinishedRun): string[] => {
  const { history } = run;
  const claims = history.claims.map((claimed): [Claimed, Counted[]] => [
    claimed,
    claimed.releasedAt === undefined
      ? COUNTED.filter(([mark]) => claimed.marks[mark] !== undefined).map(([, counted]) => counted)
      : [],
  ]);
  return differences(
    fold(history, claims),
    stored(run, counted => !['sent', 'value', 'reported'].includes(counted)),
  );
};

const LETTERS: [string, Counted][] = [
  ['s', 'sent'],
  ['o', 'opened'],
  ['c', 'clicked'],
  ['b', 'bounced'],
  ['x', 'complained'],
];

/** Each claim of a run names a mailbox provider, so the counts of an item by provider and by combination have the same sums. */
export const theMailboxProvidersAddUp = ({ history, items }: FinishedRun): string[] =>
  items
    .filter(({ PK }) => String(PK).endsWith('#REPORT'))
    .filter(({ PK }) => !isDeleted(history, Number(String(PK).split('#')[1])))
    .flatMap(item =>
      LETTERS.flatMap(([letter, counted]) => {
        const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
        const all = sum(countsIn(item).flatMap(one => (one.counted === counted ? one.count : [])));
        const byMailbox = sum([...'goyax'].map(mailbox => Number(item[`${letter}${mailbox}`] ?? 0)));
        return all === byMailbox ? [] : [`${item.PK} ${item.SK} ${counted}: ${byMailbox}, not ${all}`];
      }),
    );

export const onlyWhatMayHaveBeenSentIsMarked = ({ history }: FinishedRun): string[] =>
  [...endings(history)].flatMap(([{ id, organization, marks, releasedAt }, state]) => {
    const isMarked = Object.keys(marks).some(mark => mark !== 'rejected_at');
    const mayBe = releasedAt === undefined && (state === 'sent' || state === 'unknown');
    return isMarked && !mayBe && !isDeleted(history, organization) ? [`${id} is ${state}, and marked`] : [];
  });

/** An email that was opened or clicked has a mark, and each clicked link has an item. */
export const everyClickBelongsToAnEmailThatWasClicked = ({ history, items }: FinishedRun): string[] =>
  items
    .filter(({ SK }) => String(SK).startsWith('T#'))
    .filter(({ PK, SK, by }) => {
      const [[, organization, hash], [, seq]] = [String(PK).split('#'), String(SK).split('#')];
      const marks = history.claimOf(`${organization}-${hash}-${Number(seq)}`)?.marks;
      return !(by === 'person' ? marks?.first_clicked_at : marks?.machine_clicked_at);
    })
    .map(({ PK, SK }) => `${PK} ${SK}`);

// A complaint ends other subscriptions too, but is counted as a complaint.
const BY_EMAIL = ['page', 'one_click', 'provider'];

export const whoeverUnsubscribesByAnEmailIsCountedForIt = ({ history }: FinishedRun): string[] =>
  history
    .versionsOf('R#', 'J#')
    .filter(({ type, by }) => type === 'unsubscribed' && BY_EMAIL.includes(String(by)))
    .filter(({ PK, email }) => {
      const [, organization, hash] = String(PK).split('#');
      return !history.claimOf(`${organization}-${hash}-${email}`)?.marks.unsubscribed_at;
    })
    .map(({ PK, seq }) => `${PK} ${seq}`);

export const whatAnEventProvesIsNoLongerUnknown = ({ history }: FinishedRun): string[] =>
  [...endings(history)].flatMap(([{ id, organization, marks }, state]) =>
    marks.delivered_at && state !== 'sent' && !isDeleted(history, organization)
      ? [`${id} is ${state}, and delivered`]
      : [],
  );

export const whoeverComplainsOrBouncesHardIsSuppressed = ({ history, store }: FinishedRun): string[] =>
  history.claims.flatMap(({ id, organization, hash, claim: { seq }, marks }) => {
    if (isDeleted(history, organization)) return [];
    const PK = `R#${organization}#${hash}`;
    const { bounce } = history.changesOf(PK, journalKey(seq)).at(-1)?.after ?? {};
    const { suppression } = store.read({ PK, SK: 'HEAD' }, true) ?? {};
    const isRight = marks.complained_at ? suppression === 'complaint' : bounce !== 'hard' || suppression;
    return isRight ? [] : [`${id}: ${suppression ?? 'not suppressed'}`];
  });
