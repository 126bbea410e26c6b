import { newRevision } from '#core/id.ts';
import { deletePage, epochSeconds, query, type Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  deleteWrite,
  optimistically,
  putWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { STOPPED_KEPT } from '#core/timeouts.ts';
import type { Suppression } from '#shared/suppression.ts';
import { readClaim } from './claim.ts';
import * as journal from './journal.ts';
import { membershipWrite } from './membership.ts';
import type { RecipientKey } from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { triggersOf } from './trigger.ts';

type Needs = { table: Table; now: Date };

type Cause = {
  /** The claim of the email, and its list. */
  email: Pick<journal.Claim, 'seq' | 'list_id'>;
  why: Suppression;
  /** The mark on the claim; undefined if the claim has it already. */
  claimWrite?: (claim: journal.Claim) => Write | undefined;
};

export const SUPPRESSION_ENTRIES = { complaint: 'complained', bounce: 'bounced' } as const;

const CONFLICT = 'Another change of this person is under way. Please try again.';

/** All but the other lists in one transaction; those are unsubscribed one by one. A repetition finishes it. */
export async function suppress(needs: Needs, key: RecipientKey, cause: Cause): Promise<void> {
  const { email, why } = cause;
  const isKnown = await optimistically({
    read: async () => ({
      state: await store.read(needs.table, key, email.list_id),
      claim: await readClaim(needs.table, key, email.seq),
    }),
    write: async ({ state, claim }) => {
      // The organization is being purged.
      if (!claim || !state.head) return false;
      const writes = suppressionWrites(needs, key, state, claim, cause);
      return writes.length === 0 || (await conditionsHeld(commit(needs.table, writes))) || undefined;
    },
    conflict: CONFLICT,
  });
  if (isKnown) await unsubscribeSuppressed(needs, key, { by: why, email: email.seq });
}

/** The email, or the import, that suppressed the person. */
type Ended = { by: Suppression; email?: number; import?: string };

export async function unsubscribeSuppressed(needs: Needs, key: RecipientKey, cause: Ended): Promise<void> {
  const { memberships } = await store.readMemberships(needs.table, key);
  for (const { list_id, status } of memberships) {
    if (status === 'subscribed') await unsubscribe(needs, key, list_id, cause);
  }
}

/** It was inserted while its person was being suppressed. Returns false if they are not suppressed. */
export async function endSuppressed(needs: Needs, key: RecipientKey, listId: string): Promise<boolean> {
  const { head } = await store.read(needs.table, key, listId);
  if (!head?.suppression) return false;
  await unsubscribe(needs, key, listId, { by: head.suppression });
  return true;
}

/** A complaint overrides a bounce. */
export const isStronger = (why: Suppression, than: Suppression | undefined) =>
  than === undefined || (than === 'bounce' && why === 'complaint');

function suppressionWrites(
  { table, now }: Needs,
  key: RecipientKey,
  state: store.State,
  claim: journal.Claim,
  { email: { seq: email, list_id }, why, claimWrite }: Cause,
): Write[] {
  const write = claimWrite?.(claim);
  const ofClaim = write ? [write] : [];
  if (!isStronger(why, state.head?.suppression)) return ofClaim;
  const entry = { seq: state.seq + 1, type: SUPPRESSION_ENTRIES[why], at: now.toISOString(), list_id, email };
  return [
    ...ofClaim,
    store.suppressionWrite(table, key, why),
    journal.entryWrite(table, key, entry),
    stoppedWrite(table, key, list_id, now),
    ...endWrites({ table, now }, key, state, why),
  ];
}

/** With its trigger rows; nothing if there is none. */
function endWrites({ table, now }: Needs, key: RecipientKey, state: store.State, by: Suppression): Write[] {
  const { membership } = state;
  if (membership?.status !== 'subscribed') return [];
  const after = {
    ...membership,
    status: 'unsubscribed' as const,
    by,
    updated_at: now.toISOString(),
    revision: newRevision(),
  };
  // Computed without the head, which may say suppressed by now: then there would be no rows to delete.
  const rows = triggersOf(key.hash, undefined, membership);
  return [membershipWrite(table, key, state, after), ...rows.map(row => deleteWrite(table, row))];
}

const unsubscribe = (
  { table, now }: Needs,
  key: RecipientKey,
  list_id: string,
  { by, ...cause }: Ended,
): Promise<boolean> =>
  optimistically({
    read: () => store.read(table, key, list_id),
    write: async state => {
      const writes = endWrites({ table, now }, key, state, by);
      if (writes.length === 0) return true;
      const entry = { seq: state.seq + 1, type: 'unsubscribed' as const, at: now.toISOString() };
      writes.push(
        stoppedWrite(table, key, list_id, now),
        journal.entryWrite(table, key, { ...entry, list_id, by, ...cause }),
      );
      return (await conditionsHeld(commit(table, writes))) || undefined;
    },
    conflict: CONFLICT,
  });

const partition = (organization: number) => `ORG#${organization}#STOPPED`;

/**
 * Written in the transaction that ends a subscription or suppresses a person, so one query tells a sender who has claimed for
 * a thousand people who of them was stopped since.
 */
export const stoppedWrite = (
  table: Table,
  { organization, hash }: RecipientKey,
  list: string,
  now: Date,
): Write =>
  putWrite(table, {
    PK: partition(organization),
    SK: `${now.toISOString()}#${hash}#${list}`,
    ttl: epochSeconds(new Date(now.getTime() + STOPPED_KEPT)),
  });

/** By a list or by any. */
export async function stoppedSince(
  table: Table,
  organization: number,
  since: Date,
  list?: string,
): Promise<Set<string>> {
  const all = await allStoppedSince(table, organization, since);
  return new Set(all.flatMap(stopped => (list === undefined || stopped.list === list ? [stopped.hash] : [])));
}

/** As far back as markers are kept. */
export async function allStoppedSince(
  table: Table,
  organization: number,
  since: Date,
): Promise<{ hash: string; list: string }[]> {
  const items = await query(table, {
    KeyConditionExpression: 'PK = :pk AND SK >= :since',
    ExpressionAttributeValues: { ':pk': partition(organization), ':since': since.toISOString() },
    ProjectionExpression: 'SK',
    ConsistentRead: true,
  });
  return items.map(({ SK }) => {
    const [, hash = '', list = ''] = String(SK).split('#');
    return { hash, list };
  });
}

/** Returns true if there may be more. */
export const purgeStopped = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
