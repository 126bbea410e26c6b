import type { Suppression } from '../../../shared/suppression.ts';
import * as recipient from '../recipient/recipient.ts';
import type { Table } from '../table.store.ts';
import type { By, Sent } from '../tracking/tracking.ts';

/**
 * How somebody stands to the list of an email. `unsubscribed`: by a link of theirs, so that they may subscribe again;
 * `ended`: by others; `gone`: they are no member, or the list or the organization is deleted.
 */
export type Standing = 'subscribed' | 'unsubscribed' | 'ended' | 'gone' | Suppression;

type Needs = { table: Table; now: Date };
type Email = Omit<Sent, 'written'>;

const OWN_SOURCES: (recipient.Source | undefined)[] = ['page', 'one_click', 'provider'];

function standingIn({ head, membership }: Pick<recipient.State, 'head' | 'membership'>): Standing {
  if (!membership) return 'gone';
  if (head?.suppression) return head.suppression;
  if (membership.status === 'subscribed') return 'subscribed';
  return OWN_SOURCES.includes(membership.by) ? 'unsubscribed' : 'ended';
}

const keyOf = ({ organization, hash }: Email): recipient.RecipientKey => ({ organization, hash });

/** How somebody stands to the list; that a person looks at the page is stored, the first time. Nothing else changes. */
export async function look({ table, now }: Needs, email: Email, by: By): Promise<Standing> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await recipient.readClaim(table, key, seq);
  const standing = claim ? standingIn(await recipient.read(table, key, claim.list_id)) : 'gone';
  if (by === 'person' && claim && standing !== 'gone' && !claim.unsub_clicked_at) {
    await recipient.markClaim(table, key, { seq, as: 'unsub_clicked_at', at: now.toISOString() });
  }
  return standing;
}

/** Unsubscribes somebody from the list of an email; a repetition changes nothing. */
export async function unsubscribe(needs: Needs, email: Email, by: 'page' | 'one_click'): Promise<Standing> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await recipient.readClaim(needs.table, key, seq);
  if (!claim) return 'gone';
  const mark = { seq, as: 'unsubscribed_at', at: needs.now.toISOString() } as const;
  return change(needs, key, claim.list_id, state => {
    if (state.membership?.status !== 'subscribed') return undefined;
    const wanted = recipient.membershipChange(needs.now, state, { is_subscribed: false }, by);
    return wanted && { ...from(wanted, seq), ...(!claim.unsubscribed_at && { mark }) };
  });
}

/** Subscribes somebody again who has unsubscribed by a link of theirs, and nobody else. */
export async function subscribeAgain(needs: Needs, email: Email): Promise<Standing> {
  const [key, { seq }] = [keyOf(email), email];
  const claim = await recipient.readClaim(needs.table, key, seq);
  if (!claim) return 'gone';
  return change(needs, key, claim.list_id, state => {
    if (standingIn(state) !== 'unsubscribed') return undefined;
    const wanted = recipient.membershipChange(needs.now, state, { is_subscribed: true }, 'page');
    return wanted && from(wanted, seq);
  });
}

const from = ({ entry, ...change }: recipient.Change, email: number): recipient.Change => ({
  ...change,
  ...(entry && { entry: { ...entry, email } }),
});

async function change(
  needs: Needs,
  key: recipient.RecipientKey,
  listId: string,
  decide: (state: recipient.State) => recipient.Change | undefined,
): Promise<Standing> {
  const { before, after } = await recipient.change(needs, key, listId, decide);
  return standingIn({ head: before.head, membership: after });
}
