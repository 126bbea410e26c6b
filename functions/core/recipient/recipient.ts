import { inParallel } from '../parallel.ts';
import { Refusal } from '../refusal.ts';
import { commit, held, type Key, put, remove, type Table, type Write, writeAll } from '../table.store.ts';
import * as store from './recipient.store.ts';
import { triggerRows, without } from './trigger.ts';

export { purgeMemberships, purgePeople, purgeRows } from './recipient.purge.ts';
export {
  type Entry,
  hashOf,
  isHash,
  journal,
  type Membership,
  type Person,
  read,
  readSome,
  type Source,
  type State,
  type Status,
} from './recipient.store.ts';

type Needs = { table: Table; now: Date };

/** Where a membership is to turn, and the entry of the journal that says so, if it is worth one. */
export type Turn = {
  /** Undefined: to end. */
  membership: Omit<store.Membership, 'revision'> | undefined;
  entry?: Omit<store.Entry, 'seq' | 'at'>;
};
type Standing = Pick<store.State, 'head' | 'membership'>;

/** The trigger rows that there are to be: only those who may be mailed have any. */
const rowsOf = (hash: string, { head, membership }: Standing): Key[] =>
  membership?.status === 'subscribed' && !head?.suppression
    ? triggerRows(membership.list_id, hash, membership.metadata)
    : [];

export type Newcomer = { person: store.Person; membership: Omit<store.Membership, 'revision'> };

const newcomersRows = ({ person, membership }: Newcomer) =>
  rowsOf(person.hash, { head: undefined, membership: { ...membership, revision: '' } });

const MOST_AT_ONCE = 20;

/**
 * New memberships, each for three writes where a transaction would cost twice that: their trigger rows stand before
 * they do, so that none is missing whatever happens in between, and a row without a membership mails nobody. False for
 * whoever is in the list, or has left it: then whoever asked turns that membership, and tidies up behind.
 */
export async function enterAll(table: Table, newcomers: Newcomer[]): Promise<boolean[]> {
  await writeAll(table, { puts: newcomers.flatMap(newcomersRows) });
  return inParallel(newcomers, MOST_AT_ONCE, ({ person, membership }) =>
    store.enter(table, person, { ...membership, revision: store.newRevision() }),
  );
}

const MOST_TRIES = 12;

/**
 * Turns one membership, all of it in one transaction: the membership, its trigger rows, the journal and the head.
 * `decide` is asked again with what stands now when somebody else was faster; undefined leaves it as it is.
 */
export async function turn(
  { table, now }: Needs,
  person: store.Person,
  list: string,
  decide: (state: store.State) => Turn | undefined,
): Promise<{ before: store.State; after: store.Membership | undefined; turned: boolean }> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const before = await store.read(table, person, list);
    const turn = decide(before);
    if (!turn) return { before, after: before.membership, turned: false };
    const after = turn.membership && { ...turn.membership, revision: store.newRevision() };
    const writes = turning({ table, now }, person, list, before, { ...turn, membership: after });
    await writeAll(table, { puts: writes.ahead });
    if (await held(commit(table, writes.together))) return { before, after, turned: true };
    await tidy(table, person, list, writes.ahead);
  }
  throw new Refusal('conflict', 'This member is being changed by somebody else. Please try again.');
}

// What one transaction of DynamoDB takes.
const MOST_TOGETHER = 100;

function turning(
  { table, now }: Needs,
  person: store.Person,
  list: string,
  before: store.State,
  { membership: after, entry }: { membership: store.Membership | undefined } & Pick<Turn, 'entry'>,
): { ahead: Key[]; together: Write[] } {
  const at = now.toISOString();
  const rowsBefore = rowsOf(person.hash, before);
  const rowsAfter = rowsOf(person.hash, { head: before.head, membership: after });
  const added = without(rowsAfter, rowsBefore);
  const email = (after ?? before.membership)?.email;
  const together = [
    store.standing(table, person, before, after ?? leftOf(list, before, at)),
    ...(entry ? [store.append(table, person, { ...entry, seq: before.seq + 1, at })] : []),
    ...(entry && email !== undefined
      ? [store.naming(table, person, email, entry.type === 'subscribed' ? 'unsuppressed' : undefined)]
      : added.length > 0
        ? [store.unsuppressed(table, person)]
        : []),
    ...without(rowsBefore, rowsAfter).map(row => remove(table, row)),
  ];
  // A row that stands too early mails nobody: it may go ahead where fifty dates change at once.
  const room = MOST_TOGETHER - together.length;
  return {
    ahead: added.slice(room),
    together: [...together, ...added.slice(0, room).map(row => put(table, row))],
  };
}

const leftOf = (list_id: string, { membership, left }: store.State, updated_at: string): store.Left => ({
  list_id,
  status: 'left',
  unsubscribed: membership ? membership.status === 'unsubscribed' : (left?.unsubscribed ?? false),
  updated_at,
  revision: store.newRevision(),
});

/** Takes away what was put for somebody who was not entered, as far as the membership that stands has other rows. */
export const leaveAlone = (table: Table, newcomer: Newcomer) =>
  tidy(table, newcomer.person, newcomer.membership.list_id, newcomersRows(newcomer));

async function tidy(table: Table, person: store.Person, list: string, rows: Key[]): Promise<void> {
  if (rows.length === 0) return;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const state = await store.read(table, person, list);
    const needless = without(rows, rowsOf(person.hash, state));
    if (needless.length === 0) return;
    const writes = [store.asItWas(table, person, state, list), ...needless.map(row => remove(table, row))];
    if (await held(commit(table, writes))) return;
  }
}

/**
 * Forgets a person: memberships with their metadata, and the address. The journal goes on under the hash, and where
 * they had unsubscribed they stay so.
 */
export async function erase(needs: Needs, organization: number, email: string): Promise<void> {
  const { table, now } = needs;
  const person = { organization, hash: store.hashOf(email) };
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const items = await store.top(table, person);
    for (const { list_id, status } of items) {
      if (status !== 'subscribed' && status !== 'unsubscribed') continue;
      await turn(needs, person, String(list_id), ({ membership }) => membership && { membership: undefined });
    }
    const { head, seq } = await store.read(table, person, '');
    const isKnown = items.length > 0 && (head?.email !== undefined || !head?.erased_at);
    if (!isKnown) return;
    const at = now.toISOString();
    const writes = [
      store.append(table, person, { type: 'erased', seq: seq + 1, at }),
      store.forgetting(table, person, at),
    ];
    if (await held(commit(table, writes))) return;
  }
  throw new Refusal('conflict', 'This person is being changed by somebody else. Please try again.');
}
