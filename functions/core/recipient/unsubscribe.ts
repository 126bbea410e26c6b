import type { Table } from '#core/storage/table.store.ts';
import type { Suppression } from '#shared/suppression.ts';
import { DAY } from '#shared/time.ts';
import * as sent from './claim.ts';
import type * as journal from './journal.ts';
import * as memberships from './membership.ts';
import type * as recipientKey from './recipient.key.ts';
import * as recipientStore from './recipient.store.ts';
import * as recipient from './recipient.ts';
import type { By, Sent } from './tracking.ts';

/**
 * On the list of an email. `unsubscribed`: by this email within RETURN_DAYS, and its link may subscribe them again; `ended`:
 * unsubscribed, and it may not; `gone`: not a member, or the list or the organization is deleted.
 */
export type Subscription = 'subscribed' | 'unsubscribed' | 'ended' | 'gone' | Suppression;

type Needs = { table: Table; now: Date };
type Email = Omit<Sent, 'written'>;

const OWN_SOURCES: (journal.Source | undefined)[] = ['page', 'one_click', 'provider'];

// Kept short, since anyone to whom the email is forwarded could subscribe them again.
const RETURN_DAYS = 3;

type Known = Pick<recipientStore.State, 'head' | 'membership'> & { claim: journal.Claim };

function subscriptionIn({ head, membership, claim }: Known, now: Date): Subscription {
  if (!membership) return 'gone';
  if (head?.suppression) return head.suppression;
  if (membership.status === 'subscribed') return 'subscribed';
  const isByThis = OWN_SOURCES.includes(membership.by) && membership.by_email === claim.seq;
  const at = claim.unsubscribed_at ? Date.parse(claim.unsubscribed_at) : now.getTime();
  const isLately = at > now.getTime() - RETURN_DAYS * DAY;
  // Once for each email: otherwise its link could make a journal grow without end.
  return isByThis && isLately && !claim.resubscribed_at ? 'unsubscribed' : 'ended';
}

const keyOf = ({ organization, hash }: Email): recipientKey.RecipientKey => ({ organization, hash });

/** The first visit by a person is stored; nothing else changes. */
export async function recordVisit({ table, now }: Needs, email: Email, by: By): Promise<Subscription> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await sent.readClaim(table, key, seq);
  if (!claim) return 'gone';
  const state = await recipientStore.read(table, key, claim.list_id);
  const subscription = subscriptionIn({ ...state, claim }, now);
  if (by === 'person' && subscription !== 'gone' && !claim.unsub_clicked_at) {
    await sent.markClaim(table, key, { seq, as: 'unsub_clicked_at', at: now.toISOString() });
  }
  return subscription;
}

export const unsubscribe = (needs: Needs, email: Email, by: 'page' | 'one_click'): Promise<Subscription> =>
  change(needs, email, subscription => subscription !== 'gone', {
    is_subscribed: false,
    by,
    as: 'unsubscribed_at',
  });

/** Only if they are `unsubscribed`. */
export const subscribeAgain = (needs: Needs, email: Email): Promise<Subscription> =>
  change(needs, email, subscription => subscription === 'unsubscribed', {
    is_subscribed: true,
    by: 'page',
    as: 'resubscribed_at',
  });

type Wanted = { is_subscribed: boolean; by: 'page' | 'one_click'; as: 'unsubscribed_at' | 'resubscribed_at' };

/** Marks the email in the same transaction. */
async function change(
  needs: Needs,
  email: Email,
  mayBe: (subscription: Subscription) => boolean,
  { is_subscribed, by, as }: Wanted,
): Promise<Subscription> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await sent.readClaim(needs.table, key, seq);
  if (!claim) return 'gone';
  const mark = { seq, as, at: needs.now.toISOString() };
  const { before, after, isChanged } = await recipient.change(needs, key, claim.list_id, state => {
    if (!mayBe(subscriptionIn({ ...state, claim }, needs.now))) return undefined;
    const wanted = memberships.membershipChange(needs.now, state, { is_subscribed }, by);
    return wanted && { ...memberships.byEmail(wanted, seq), ...(!claim[as] && { mark }) };
  });
  const marked = isChanged ? { [as]: mark.at, ...claim } : claim;
  return subscriptionIn({ head: before.head, membership: after, claim: marked }, needs.now);
}
