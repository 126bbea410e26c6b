import { newRevision, sha256 } from '#core/id.ts';
import { epochSeconds, get, type Key, storedOf, type Table } from '#core/storage/table.store.ts';
import {
  type Condition,
  commit,
  conditionsHeld,
  MOST_WRITES,
  optimistically,
  putWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { DAY } from '#shared/time.ts';
import { membershipWrite, type Unwritten } from './membership.ts';
import { ONCE, partitionOf, type RecipientKey } from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { triggerWrites } from './trigger.ts';

type Needs = { table: Table; now: Date };

/** A key of the caller, and what happened then. Repeated within a day, it stores nothing. */
export type Once = { key: string; at: string };

type StoredOnce = { at: string; expires_at: string; is_partial?: true };

export type PersonState = Omit<Awaited<ReturnType<typeof store.readMemberships>>, 'isKnown'> & {
  once?: StoredOnce | undefined;
};

export const readPerson = store.readMemberships;

type Change = {
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
  { known, once, decide }: Change,
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
