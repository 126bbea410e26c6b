import { isId } from '#core/id.ts';
import * as listStore from '#core/list/list.store.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import type { Meaning, Provider, ProviderEvent } from '#core/provider.ts';
import * as claims from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import type { Table } from '#core/storage/table.store.ts';
import * as batches from '../batch/provider-proof.ts';
import { isInRow } from './soft-bounces.ts';

type Needs = { table: Table; now: Date };
type Receiving = Needs & {
  provider: Pick<Provider, 'readEvent'>;
  vault: Pick<sendingKey.Vault, 'open'>;
  /** The signing key of lists without their own. */
  stageKey: () => Promise<string>;
};
/** From the path of the request, so it may be any text. */
export type Address = { organization: string; list: string };
type List = { organization: number; id: string };

const ORGANIZATION = /^[1-9]\d{0,14}$/;

/** Stores an event. `refused`: not signed for this list; `ignored`: not about one of its emails. */
export async function receive(
  needs: Receiving,
  { organization, list: id }: Address,
  body: unknown,
): Promise<Meaning | 'refused' | 'ignored'> {
  const signed = needs.provider.readEvent(body, needs.now);
  if (!signed || !ORGANIZATION.test(organization) || !isId(id)) return 'refused';
  const [list] = await listStore.readThese(needs.table, Number(organization), [id]);
  if (!list) return 'refused';
  const key = (await sendingKey.signingKeyOf(needs, list)) ?? (await needs.stageKey());
  if (!signed.isSignedWith(key)) return 'refused';
  const { event } = signed;
  const isApplied = event && (await applyEvent(needs, { organization: Number(organization), id }, event));
  return isApplied ? event.meaning : 'ignored';
}

type Email = { key: recipientKey.RecipientKey; claim: journal.Claim; reason: string };

/**
 * What each meaning leads to. Events may come in any order: a repetition completes what was interrupted, and changes nothing
 * else.
 */
const CONSEQUENCES: Record<Meaning, (needs: Needs, email: Email) => Promise<unknown>> = {
  hard: bounce,
  soft: softBounce,
  complaint: complain,
  unsubscribed: unsubscribe,
  accepted: async () => {},
  rejected: async () => {},
};

/** Returns false if no such email was sent for the list. */
export async function applyEvent(
  needs: Needs,
  list: List,
  { meaning, send, reason }: ProviderEvent,
): Promise<boolean> {
  const named = recipientKey.readSendId(send);
  if (named?.key.organization !== list.organization) return false;
  const { key, seq } = named;
  const claim = await claims.readClaim(needs.table, key, seq);
  if (claim?.list_id !== list.id || claim.released) return false;
  const proof = meaning === 'rejected' ? 'rejected' : 'delivered';
  if (!(await batches.applyProviderEvent(needs, key, claim, proof))) return false;
  await CONSEQUENCES[meaning](needs, { key, claim, reason });
  return true;
}

async function bounce({ table, now }: Needs, { key, claim: email, reason }: Email): Promise<void> {
  const at = now.toISOString();
  const claimWrite = (claim: journal.Claim) => claims.hardBounceWrite(table, key, claim, { at, reason });
  return suppressions.suppress({ table, now }, key, { email, why: 'bounce', claimWrite });
}

async function softBounce({ table, now }: Needs, { key, claim: email, reason }: Email): Promise<void> {
  const { seq } = email;
  const mark = { seq, as: 'bounced_at', at: now.toISOString() } as const;
  const details = { bounce: 'soft', ...(reason && { bounce_reason: reason }) } as const;
  // The condition refuses a reason for an erased person, whom it may name: then the bounce is stored without it.
  const isStored = await claims.markClaim(table, key, { ...mark, with: details });
  if (!isStored) await claims.markClaim(table, key, { ...mark, with: { bounce: 'soft' } });
  if (await isInRow(table, key, seq))
    await suppressions.suppress({ table, now }, key, { email, why: 'bounce' });
}

function complain({ table, now }: Needs, { key, claim: email }: Email): Promise<void> {
  const mark = { seq: email.seq, as: 'complained_at', at: now.toISOString() } as const;
  const claimWrite = ({ complained_at }: journal.Claim) =>
    complained_at ? undefined : claims.markWrite(table, key, mark);
  return suppressions.suppress({ table, now }, key, { email, why: 'complaint', claimWrite });
}

/** Once for each email: the person may have subscribed again since. */
async function unsubscribe({ table, now }: Needs, { key, claim }: Email): Promise<void> {
  if (claim.unsubscribed_at) return;
  const { seq, list_id } = claim;
  const mark = { seq, as: 'unsubscribed_at', at: now.toISOString() } as const;
  const { isChanged } = await recipient.change({ table, now }, key, list_id, state => {
    const wanted =
      state.membership && memberships.membershipChange(now, state, { is_subscribed: false }, 'provider');
    return wanted && { ...memberships.byEmail(wanted, seq), mark };
  });
  if (!isChanged) await claims.markClaim(table, key, mark);
}
