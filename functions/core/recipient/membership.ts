import { invalid, Refusal } from '#core/refusal.ts';
import { changed, type Metadata, type MetadataChange, wholeFaultOf } from '#shared/metadata.ts';
import { SUPPRESSED, type Suppression } from '#shared/suppression.ts';
import type { Entry, Source } from './journal.store.ts';
import type { Left, Membership } from './membership.store.ts';
import type { State } from './recipient.store.ts';
import type { Mark } from './sent.store.ts';

export const memberNotFound = () => new Refusal('not-found', 'Member not found');

/** A membership before the write that gives it a revision. */
export type Unwritten = Omit<Membership, 'revision'>;

/** The membership after a change, undefined if it ends, and the journal entry of the change if it has one. */
export type Change = {
  membership: Unwritten | undefined;
  entry?: Omit<Entry, 'seq' | 'at'>;
  /** The mark for the email that led to the change, if it has none yet. */
  mark?: Mark;
  /** Suppresses the address, for all lists of the organization. */
  suppression?: Suppression;
  /** Overrides what is kept of a membership that ends. */
  left?: Pick<Left, 'unsubscribed' | 'import'>;
};

type Wanted = { email: string; is_subscribed?: boolean | undefined; metadata: Metadata };

/** Adding a person who unsubscribed, or whose address is suppressed, does not subscribe them. */
export const newMembership = (
  now: Date,
  list_id: string,
  { email, is_subscribed = true, metadata }: Wanted,
  { head, left }: { head: State['head']; left: Left | undefined },
): Unwritten => ({
  list_id,
  email,
  status: is_subscribed && !left?.unsubscribed && !head?.suppression ? 'subscribed' : 'unsubscribed',
  metadata,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/** The change to a membership; undefined if it would change nothing. */
export function membershipChange(
  now: Date,
  { head, membership }: Pick<State, 'head' | 'membership'>,
  { is_subscribed, metadata }: { is_subscribed?: boolean | undefined; metadata?: MetadataChange | undefined },
  by: Source,
): Change | undefined {
  if (!membership) throw memberNotFound();
  const status =
    is_subscribed === undefined ? membership.status : is_subscribed ? 'subscribed' : 'unsubscribed';
  const after = metadata ? changed(membership.metadata, metadata) : membership.metadata;
  const fault = metadata && wholeFaultOf(after);
  if (fault) throw invalid('metadata', fault);
  const isOtherStatus = status !== membership.status;
  if (!isOtherStatus && isSame(after, membership.metadata)) return undefined;
  if (isOtherStatus && status === 'subscribed' && head?.suppression) {
    throw invalid('is_subscribed', SUPPRESSED[head.suppression]);
  }
  const { revision: _, ...kept } = membership;
  return {
    membership: {
      ...kept,
      status,
      metadata: after,
      updated_at: now.toISOString(),
      ...(isOtherStatus && { by }),
    },
    ...(isOtherStatus && { entry: { type: status, list_id: membership.list_id, by } }),
  };
}

/** A change to which the email with this number has led. */
export const byEmail = ({ membership, entry, ...change }: Change, seq: number): Change => ({
  ...change,
  membership: membership && { ...membership, by_email: seq },
  ...(entry && { entry: { ...entry, email: seq } }),
});

const isSame = (a: Metadata, b: Metadata) => {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && a[key] === b[key])
  );
};

/** The change that ends a membership. Its entry has the instant at which the membership began. */
export function membershipEnd({ membership }: Pick<State, 'membership'>, by: Source): Change {
  if (!membership) throw memberNotFound();
  const { list_id, created_at: since, added_by } = membership;
  const added = added_by && { import: added_by.import };
  return { membership: undefined, entry: { type: 'removed', list_id, since, by, ...added } };
}
