import type { Suppression } from '../../../../shared/suppression.ts';
import type { Table } from '../../storage/table.store.ts';
import * as recipient from '../recipient/recipient.ts';
import type { By, Sent } from '../tracking/tracking.ts';

/**
 * How somebody stands to the list of an email. `unsubscribed`: by this email and lately, so that they may subscribe again
 * by its link; `ended`: by others, or long ago, or they have come back by this link before; `gone`: they are no member, or
 * the list or the organization is deleted.
 */
export type Standing = 'subscribed' | 'unsubscribed' | 'ended' | 'gone' | Suppression;

type Needs = { table: Table; now: Date };
type Email = Omit<Sent, 'written'>;

const OWN_SOURCES: (recipient.Source | undefined)[] = ['page', 'one_click', 'provider'];

// Whoever gets hold of the email, which may be forwarded, could subscribe them as long.
const RETURN_DAYS = 3;
const DAY = 24 * 60 * 60 * 1000;

type Known = Pick<recipient.State, 'head' | 'membership'> & { claim: recipient.Claim };

function standingIn({ head, membership, claim }: Known, now: Date): Standing {
  if (!membership) return 'gone';
  if (head?.suppression) return head.suppression;
  if (membership.status === 'subscribed') return 'subscribed';
  const isByThis = OWN_SOURCES.includes(membership.by) && membership.by_email === claim.seq;
  const at = claim.unsubscribed_at ? Date.parse(claim.unsubscribed_at) : now.getTime();
  const isLately = at > now.getTime() - RETURN_DAYS * DAY;
  // Once for each email: a link must not make somebody's journal grow without end.
  return isByThis && isLately && !claim.resubscribed_at ? 'unsubscribed' : 'ended';
}

const keyOf = ({ organization, hash }: Email): recipient.RecipientKey => ({ organization, hash });

/** How somebody stands to the list; that a person looks at the page is stored, the first time. Nothing else changes. */
export async function look({ table, now }: Needs, email: Email, by: By): Promise<Standing> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await recipient.readClaim(table, key, seq);
  if (!claim) return 'gone';
  const standing = standingIn({ ...(await recipient.read(table, key, claim.list_id)), claim }, now);
  if (by === 'person' && standing !== 'gone' && !claim.unsub_clicked_at) {
    await recipient.markClaim(table, key, { seq, as: 'unsub_clicked_at', at: now.toISOString() });
  }
  return standing;
}

/** Unsubscribes somebody from the list of an email; a repetition changes nothing. */
export const unsubscribe = (needs: Needs, email: Email, by: 'page' | 'one_click'): Promise<Standing> =>
  change(needs, email, standing => standing !== 'gone', { is_subscribed: false, by, as: 'unsubscribed_at' });

/** Subscribes somebody again who has unsubscribed by a link of theirs, and nobody else. */
export const subscribeAgain = (needs: Needs, email: Email): Promise<Standing> =>
  change(needs, email, standing => standing === 'unsubscribed', {
    ...{ is_subscribed: true, by: 'page', as: 'resubscribed_at' },
  });

type Wanted = { is_subscribed: boolean; by: 'page' | 'one_click'; as: 'unsubscribed_at' | 'resubscribed_at' };

/** Changes the subscription, where somebody stands so that it may be; the email is marked in the same transaction. */
async function change(
  needs: Needs,
  email: Email,
  mayBe: (standing: Standing) => boolean,
  { is_subscribed, by, as }: Wanted,
): Promise<Standing> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await recipient.readClaim(needs.table, key, seq);
  if (!claim) return 'gone';
  const mark = { seq, as, at: needs.now.toISOString() };
  const { before, after, isChanged } = await recipient.change(needs, key, claim.list_id, state => {
    if (!mayBe(standingIn({ ...state, claim }, needs.now))) return undefined;
    const wanted = recipient.membershipChange(needs.now, state, { is_subscribed }, by);
    return wanted && { ...recipient.byEmail(wanted, seq), ...(!claim[as] && { mark }) };
  });
  const marked = isChanged ? { [as]: mark.at, ...claim } : claim;
  return standingIn({ head: before.head, membership: after, claim: marked }, needs.now);
}
