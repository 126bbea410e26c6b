import { newRevision, sha256 } from '#core/id.ts';
import { inParallel } from '#core/parallel.ts';
import {
  batchWrite,
  deleteAll,
  deletePage,
  epochSeconds,
  get,
  getAll,
  type Item,
  type Key,
  MOST_IN_FLIGHT,
  prefixPages,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  type Condition,
  commit,
  conditionsHeld,
  MOST_WRITES,
  optimistically,
  PRESENT,
  putWrite,
  updateItem,
  type Write,
} from '#core/storage/write.store.ts';
import { CLOCK_SKEW, MEMBERSHIP_WRITER_TIMEOUT } from '#core/timeouts.ts';
import { DAY } from '#shared/time.ts';
import { markWrite } from './claim.ts';
import * as journal from './journal.ts';
import {
  type Change,
  deleteMembership,
  insertAll,
  type Membership,
  membershipEnd,
  membershipWrite,
  newLeft,
  type Unwritten,
} from './membership.ts';
import {
  keyIn,
  keyOf,
  leftIndex,
  membersIndex,
  ONCE,
  partitionOf,
  peopleIndex,
  type RecipientKey,
} from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { endSuppressed, stoppedSince, stoppedWrite } from './suppression.ts';
import { deleteStrayTriggers, triggerRows, triggersOf, triggerWrites } from './trigger.ts';

type Needs = { table: Table; now: Date };

export type Joining = { key: RecipientKey; membership: Unwritten };

const triggersOfJoining = ({ key, membership }: Joining) => triggersOf(key.hash, undefined, membership);

const MOST_AT_ONCE = 20;

/**
 * By single writes, at half the price of a transaction. The trigger rows are written first: if the process dies in between,
 * none is missing, and a row without a membership has no effect. `onConflict` changes a membership that exists.
 */
export async function insertMemberships<J extends Joining, R>(
  needs: Needs,
  joining: J[],
  { onInserted, onConflict }: { onInserted: (joining: J) => R; onConflict: (joining: J) => Promise<R> },
): Promise<R[]> {
  const { table } = needs;
  await batchWrite(table, { puts: joining.flatMap(triggersOfJoining) });
  let added = joining;
  const conflictOf = new Map<J, R>();
  let ended = new Set<string>();
  try {
    const inserted = await insertAll(
      table,
      joining.map(({ key, membership }) => ({ key, membership: { ...membership, revision: newRevision() } })),
    );
    added = joining.filter((_, at) => inserted[at]);
    await inParallel(
      joining.filter((_, at) => !inserted[at]),
      MOST_AT_ONCE,
      async join => {
        try {
          conflictOf.set(join, await onConflict(join));
        } finally {
          await deleteUnusedTriggers(needs, join);
        }
      },
    );
  } finally {
    // Also if some of them failed: a retry finds the others inserted, and does not check them.
    ended = await endSuppressedOf(
      needs,
      added.filter(({ membership }) => membership.status === 'subscribed'),
    );
  }
  return joining.map(join => {
    if (conflictOf.has(join)) return conflictOf.get(join) as R;
    if (!ended.has(join.key.hash)) return onInserted(join);
    return onInserted({ ...join, membership: { ...join.membership, status: 'unsubscribed' } });
  });
}

/** For people who were suppressed after they were read and before they were inserted. Returns their hashes. */
async function endSuppressedOf(needs: Needs, joined: Joining[]): Promise<Set<string>> {
  const [first] = joined;
  if (!first) return new Set();
  const since = new Date(needs.now.getTime() - MEMBERSHIP_WRITER_TIMEOUT - 2 * CLOCK_SKEW);
  const stopped = await stoppedSince(needs.table, first.key.organization, since);
  const doubtful = joined.filter(({ key }) => stopped.has(key.hash));
  const ended = await inParallel(doubtful, MOST_AT_ONCE, async ({ key, membership }) =>
    (await endSuppressed(needs, key, membership.list_id)) ? [key.hash] : [],
  );
  return new Set(ended.flat());
}

/** Except those that the membership has by now. */
async function deleteUnusedTriggers(needs: Needs, joining: Joining): Promise<void> {
  const { key, membership } = joining;
  const rows = triggersOfJoining(joining);
  if (rows.length === 0) return;
  await optimistically({
    read: () => store.read(needs.table, key, membership.list_id),
    write: async state =>
      (await deleteStrayTriggers(needs, { key, listId: membership.list_id, state }, rows)) || undefined,
    conflict: CONFLICT,
  });
}

const CONFLICT = 'Another change of this member is under way. Please try again.';

type Changed = { before: store.State; after: Membership | undefined; isChanged: boolean };

/** In one transaction. After a conflict, `decide` is called again; if it returns undefined, nothing is written. */
export const change = (
  { table, now }: Needs,
  key: RecipientKey,
  listId: string,
  decide: (state: store.State) => Change | undefined,
  known?: store.State,
): Promise<Changed> =>
  optimistically({
    known,
    read: () => store.read(table, key, listId),
    write: async before => {
      const wanted = decide(before);
      if (!wanted) return { before, after: before.membership, isChanged: false };
      const after = wanted.membership && { ...wanted.membership, revision: newRevision() };
      const writes = changeWrites({ table, now }, key, before, { ...wanted, listId, after });
      return (await conditionsHeld(commit(table, writes))) ? { before, after, isChanged: true } : undefined;
    },
    conflict: CONFLICT,
  });

/** The item remains as `left`, with whether the person had unsubscribed. */
export const leave = (
  needs: Needs,
  key: RecipientKey,
  listId: string,
  by: journal.Source,
  known?: store.State,
) => change(needs, key, listId, state => membershipEnd(state.membership, by), known);

type After = { listId: string; after: Membership | undefined } & Omit<Change, 'membership'>;

// At most 40 dates and the instant of adding, before and after: with the rest that fits the 100 writes of a transaction.
function changeWrites(
  { table, now }: Needs,
  key: RecipientKey,
  before: store.State,
  { listId, after, entry, mark, suppression, left }: After,
): Write[] {
  const at = now.toISOString();
  const triggers = triggerWrites(table, key.hash, before, after);
  const email = (after ?? before.membership)?.email;
  const only = triggers.addsAny ? 'unsuppressed' : undefined;
  const isEnded = before.membership?.status === 'subscribed' && after?.status !== 'subscribed';
  return [
    membershipWrite(table, key, before, after ?? { ...leftAfter(listId, before, at), ...left }),
    ...triggers.writes,
    ...(entry ? [journal.entryWrite(table, key, { ...entry, seq: before.seq + 1, at })] : []),
    ...(mark ? [markWrite(table, key, mark)] : []),
    ...(isEnded || suppression ? [stoppedWrite(table, key, listId, now)] : []),
    ...(entry && email !== undefined
      ? [store.headWrite(table, key, { email, suppression, only })]
      : only
        ? [store.unsuppressedCheck(table, key)]
        : []),
  ];
}

const leftAfter = (listId: string, { membership }: store.State, at: string) =>
  newLeft(listId, membership?.status === 'unsubscribed', at);

/** If the time ran out, `at` is null or `isComplete` is false: the same call continues then. */
export type Erased = { at: string | null; isComplete: boolean };

type Memberships = Awaited<ReturnType<typeof store.readMemberships>>;

/**
 * Deletes a person's memberships and traces. The journal continues under the hash, and they stay unsubscribed where they
 * were. Returns undefined if nothing is stored about them.
 */
export async function erase(
  { hasTimeLeft = () => true, ...needs }: Needs & { hasTimeLeft?: () => boolean },
  organization: number,
  email: string,
): Promise<Erased | undefined> {
  const { table, now } = needs;
  const key = keyOf(organization, email);
  const erased = await optimistically<Memberships, { at: string | null | undefined }>({
    read: () => store.readMemberships(table, key),
    write: async ({ isKnown, memberships, left }) => {
      if (!isKnown) return { at: undefined };
      for (const { list_id } of memberships) {
        if (!hasTimeLeft()) return { at: null };
        await change(needs, key, list_id, ({ membership }) => membership && { membership: undefined });
      }
      // Read again: others may have ended them, or added one.
      if (memberships.length > 0) return undefined;
      const { head, seq, isErased } = await store.read(table, key, '');
      const { erased_at: before = '' } = head ?? {};
      // They may have been added again since.
      const isNew = left.some(({ updated_at }) => updated_at > before);
      if (before && isErased && !isNew && head?.email === undefined) return { at: before };
      const at = now.toISOString();
      const writes = [
        journal.entryWrite(table, key, { type: 'erased', seq: seq + 1, at }),
        store.eraseHeadWrite(table, key, at),
      ];
      return (await conditionsHeld(commit(table, writes))) ? { at } : undefined;
    },
    conflict: 'Another change of this person is under way. Please try again.',
  });
  if (erased.at === undefined) return undefined;
  return { at: erased.at, isComplete: erased.at !== null && (await eraseTraces(table, key, hasTimeLeft)) };
}

/** Deletes what may name them. The claims are marked as erased first. Returns false if the time ran out. */
async function eraseTraces(table: Table, key: RecipientKey, hasTimeLeft: () => boolean): Promise<boolean> {
  for await (const entries of prefixPages(table, partitionOf(key), journal.JOURNAL)) {
    const claims = entries.filter(({ type, erased }) => type === 'send' && !erased);
    await inParallel(claims, MOST_AT_ONCE, claim => eraseClaim(table, claim));
    if (!hasTimeLeft()) return false;
  }
  for (const prefix of [ONCE, journal.CLICKS])
    while (await deletePage(table, partitionOf(key), prefix)) if (!hasTimeLeft()) return false;
  return true;
}

const eraseClaim = (table: Table, { PK, SK }: Item) =>
  updateItem(
    table,
    { PK: String(PK), SK: String(SK) },
    { set: { erased: true }, drop: ['bounce_reason', 'values', 'trigger'] },
    PRESENT,
  );

/** A key of the caller, and what happened then. Repeated within a day, it stores nothing. */
type Once = { key: string; at: string };

type StoredOnce = { at: string; expires_at: string; is_partial?: true };

export type PersonState = Omit<Awaited<ReturnType<typeof store.readMemberships>>, 'isKnown'> & {
  once?: StoredOnce | undefined;
};

export const readPerson = store.readMemberships;

type MembershipsChange = {
  known: PersonState;
  once: Once | undefined;
  /** Returns the memberships after the change, without those that stay. Called again after a conflict; `at` is that of the key. */
  decide: (state: PersonState, at: string | undefined) => Promise<Unwritten[]>;
};

/**
 * Changes memberships of a person, and notes the key, in one transaction. About 30 memberships fit into one. More need several:
 * the key, noted as partial by the first one, has what happened, so a repetition stores the rest of the same; the last one
 * notes that it is done.
 */
export function changeMemberships(
  needs: Needs,
  key: RecipientKey,
  { known, once, decide }: MembershipsChange,
): Promise<'stored' | 'unchanged'> {
  const { table, now } = needs;
  let isWritten = false;
  return optimistically<PersonState, 'stored' | 'unchanged'>({
    known,
    read: async () => ({
      ...(await store.readMemberships(table, key)),
      once: once && (await readOnce(needs, key, once)),
    }),
    write: async state => {
      const isDone = state.once && !state.once.is_partial;
      const after = isDone ? [] : await decide(state, state.once?.at ?? once?.at);
      let noted = state.once;
      const parts = partsOf(after.map(membership => writesOf(needs, key, state, membership)));
      for (const [index, { writes, addsAny }] of parts.entries()) {
        const isLast = index === parts.length - 1;
        const note = once && noteOf(now, noted?.at ?? once.at, !isLast);
        const transaction = commit(table, [
          ...writes,
          ...(addsAny ? [store.unsuppressedCheck(table, key)] : []),
          ...(note ? [putWrite(table, { ...onceKey(key, once), ...note }, conditionOf(now, noted))] : []),
        ]);
        if (!(await conditionsHeld(transaction))) return undefined;
        isWritten = true;
        noted = note;
      }
      return isWritten ? 'stored' : 'unchanged';
    },
    conflict: 'Another change of this person is under way. Please try again.',
  });
}

type Part = { writes: Write[]; addsAny: boolean };

// Each transaction checks the suppression and notes the key too.
const MOST_IN_PART = MOST_WRITES - 2;

/** One membership has 83 writes at most. */
function partsOf(changes: Part[]): Part[] {
  const parts: Part[] = [];
  for (const { writes, addsAny } of changes) {
    const part = parts.at(-1);
    if (part && part.writes.length + writes.length <= MOST_IN_PART) {
      part.writes.push(...writes);
      part.addsAny ||= addsAny;
    } else parts.push({ writes: [...writes], addsAny });
  }
  return parts;
}

function writesOf({ table }: Needs, key: RecipientKey, state: PersonState, after: Unwritten): Part {
  const isOfList = ({ list_id }: { list_id: string }) => list_id === after.list_id;
  const before = {
    head: state.head,
    membership: state.memberships.find(isOfList),
    left: state.left.find(isOfList),
  };
  const { writes, addsAny } = triggerWrites(table, key.hash, before, after);
  const own = membershipWrite(table, key, before, { ...after, revision: newRevision() });
  return { writes: [own, ...writes], addsAny };
}

/** A hash, as the text of the caller may contain an address. */
const onceKey = (key: RecipientKey, { key: text }: Once): Key => ({
  PK: partitionOf(key),
  SK: `${ONCE}${sha256(text)}`,
});

async function readOnce(
  { table, now }: Needs,
  key: RecipientKey,
  once: Once,
): Promise<StoredOnce | undefined> {
  const stored = storedOf<StoredOnce>(await get(table, onceKey(key, once)));
  return stored && stored.expires_at > now.toISOString() ? stored : undefined;
}

function noteOf(now: Date, at: string, isPartial: boolean): StoredOnce & { ttl: number } {
  const expires = new Date(now.getTime() + DAY);
  return {
    at,
    expires_at: expires.toISOString(),
    ...(isPartial && { is_partial: true }),
    ttl: epochSeconds(expires),
  };
}

const conditionOf = (now: Date, noted: StoredOnce | undefined): Condition =>
  noted
    ? {
        condition: 'is_partial = :true AND #at = :at',
        names: { '#at': 'at' },
        values: { ':true': true, ':at': noted.at },
      }
    : { condition: 'attribute_not_exists(PK) OR expires_at <= :now', values: { ':now': now.toISOString() } };

/**
 * People are found by their heads, which are deleted last, so that the next process finds everybody whom one that died has
 * left. A click may be stored as long as its claim exists, so each person is read again until nothing is found.
 */
export async function* purgePeople(table: Table, organization: number): AsyncGenerator<undefined, void> {
  for await (const heads of store.indexPages(table, peopleIndex(organization))) {
    for (let people = heads; people.length > 0; ) {
      const found = await inParallel(people, MOST_IN_FLIGHT, ({ PK }) => store.belowHead(table, PK));
      await deleteWithTriggers(table, found.flat());
      people = people.filter((_, index) => found[index]?.length);
      if (people.length > 0) yield;
    }
    await deleteAll(table, heads);
    yield;
  }
}

/** Trigger rows are deleted before the memberships that tell their keys. */
async function deleteWithTriggers(table: Table, items: store.InPartition[]): Promise<void> {
  await deleteAll(table, items.flatMap(triggersIn));
  await deleteAll(table, items);
}

/** Also those that have ended. */
export async function* purgeMemberships(table: Table, listId: string): AsyncGenerator<undefined, void> {
  for (const index of [membersIndex(listId), leftIndex(listId)]) {
    for await (const page of store.indexPages(table, index)) {
      for (let keys = page; keys.length > 0; yield) keys = await deleteUnchanged(table, keys);
    }
  }
}

/** Returns those that have changed meanwhile, since they may have other trigger rows by now. */
async function deleteUnchanged(table: Table, keys: Key[]): Promise<Key[]> {
  const items = (await getAll(table, keys)) as store.InPartition[];
  await deleteAll(table, items.flatMap(triggersIn));
  const isDeleted = await inParallel(items, MOST_IN_FLIGHT, item => deleteMembership(table, item));
  return items.filter((_, index) => !isDeleted[index]).map(({ PK, SK }) => ({ PK, SK }));
}

const triggersIn = ({ PK, list_id, metadata, created_at }: store.InPartition) =>
  list_id !== undefined && metadata && created_at !== undefined
    ? triggerRows(keyIn(PK).hash, { list_id, metadata, created_at })
    : [];
