import { SUPPRESSED } from '../../../shared/list-member.ts';
import { changed, type Metadata, type MetadataChange, wholeFaultOf } from '../../../shared/metadata.ts';
import type * as recipient from '../recipient/recipient.ts';
import { invalid, Refusal } from '../refusal.ts';

export const notFound = () => new Refusal('not-found', 'Member not found');

type Wanted = { email: string; is_subscribed?: boolean | undefined; metadata: Metadata };

/** How a membership begins. Nobody who unsubscribed is subscribed again by being added. */
export const beginning = (
  { now }: { now: Date },
  list_id: string,
  { email, is_subscribed = true, metadata }: Wanted,
  { head, left }: Pick<recipient.State, 'head' | 'left'>,
): Omit<recipient.Membership, 'revision'> => ({
  list_id,
  email,
  status: is_subscribed && !left?.unsubscribed && !head?.suppression ? 'subscribed' : 'unsubscribed',
  metadata,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/** What is to become of a member; undefined where they are so already. */
export function turned(
  { now }: { now: Date },
  { head, membership }: recipient.State,
  { is_subscribed, metadata }: { is_subscribed?: boolean | undefined; metadata?: MetadataChange | undefined },
  by: recipient.Source,
): recipient.Turn | undefined {
  if (!membership) throw notFound();
  const status =
    is_subscribed === undefined ? membership.status : is_subscribed ? 'subscribed' : 'unsubscribed';
  const after = metadata ? changed(membership.metadata, metadata) : membership.metadata;
  const fault = metadata && wholeFaultOf(after);
  if (fault) throw invalid('metadata', fault);
  const turns = status !== membership.status;
  if (!turns && isSame(after, membership.metadata)) return undefined;
  if (turns && status === 'subscribed' && head?.suppression) {
    throw invalid('is_subscribed', SUPPRESSED[head.suppression]);
  }
  const { revision: _, ...kept } = membership;
  return {
    membership: {
      ...kept,
      status,
      metadata: after,
      updated_at: now.toISOString(),
      ...(turns && { by }),
    },
    ...(turns && { entry: { type: status, list_id: membership.list_id, by } }),
  };
}

const isSame = (a: Metadata, b: Metadata) => {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && a[key] === b[key])
  );
};
