import { isId } from '#core/id.ts';
import * as listStore from '#core/list/list.store.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import { wantedOf } from '#core/list/unsubscribe-webhook/batches.ts';
import type { KeyedProvider, Meaning, ProviderEvent } from '#core/provider.ts';
import * as claimStore from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { end, readBatch } from './batch/batch.store.ts';
import { isBeingPosted, outcomeOf, PROVEN, readAnswered } from './batch/outcome.ts';

type Needs = { table: Table; now: Date };
type Receiving = Needs & {
  provider: Pick<KeyedProvider, 'readEvent'>;
  vault: Pick<sendingKey.Vault, 'open'>;
  stageKey: () => Promise<string | undefined>;
};
/** It may be any text. */
type Address = { organization: string; list: string };
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
  if (!key || !signed.isSignedWith(key)) return 'refused';
  const { event } = signed;
  const isApplied = event && (await applyEvent(needs, { organization: Number(organization), id }, event));
  return isApplied ? event.meaning : 'ignored';
}

type Email = Pick<ProviderEvent, 'reason' | 'provider'> & {
  key: recipientKey.RecipientKey;
  claim: journal.Claim;
};

/** Returns false if no such email was sent; for this list, where the event is signed for one. */
export async function applyEvent(
  needs: Needs,
  list: List | undefined,
  { meaning, send, ...told }: ProviderEvent,
): Promise<boolean> {
  const parsed = recipientKey.readSendId(send);
  if (!parsed || (list && parsed.key.organization !== list.organization)) return false;
  const { key, seq } = parsed;
  const claim = await claimStore.readClaim(needs.table, key, seq);
  if (!claim || claim.released || (list && claim.list_id !== list.id)) return false;
  const proof = meaning === 'rejected' ? 'rejected' : 'delivered';
  if (!(await applyProviderEvent(needs, key, claim, proof, told.provider))) return false;
  await CONSEQUENCES[meaning](needs, { key, claim, ...told });
  return true;
}

/** Events may come in any order: a repetition completes what was interrupted, and changes nothing else. */
const CONSEQUENCES: Record<Meaning, (needs: Needs, email: Email) => Promise<unknown>> = {
  hard: bounce,
  soft: softBounce,
  complaint: complain,
  unsubscribed: unsubscribe,
  accepted: async () => {},
  delivered: markReceived,
  rejected: reject,
};

async function bounce({ table, now }: Needs, { key, claim: email, reason, provider }: Email): Promise<void> {
  const at = now.toISOString();
  const claimWrite = (claim: journal.Claim) =>
    claimStore.hardBounceWrite(table, key, claim, { at, reason, provider });
  return suppressions.suppress({ table, now }, key, { email, why: 'bounce', claimWrite });
}

async function softBounce({ table, now }: Needs, { key, claim: email, reason }: Email): Promise<void> {
  const { seq } = email;
  const mark = { seq, as: 'bounced_at', at: now.toISOString() } as const;
  await markWithReason(table, key, { ...mark, with: { bounce: 'soft' } }, reason);
  if (await isInRow(table, key, seq))
    await suppressions.suppress({ table, now }, key, { email, why: 'bounce' });
}

/** It is the most frequent event, and repeats the log: only webhooks are told of it. */
async function markReceived({ table, now }: Needs, { key, claim: { seq, list_id } }: Email): Promise<void> {
  const wanted = await wantedOf({ table, now }, key.organization, list_id);
  if (wanted.has('delivered'))
    await claimStore.markClaim(table, key, { seq, as: 'received_at', at: now.toISOString() });
}

/** The provider had taken it, and did not try to deliver it. */
async function reject({ table, now }: Needs, { key, claim: { seq }, reason }: Email): Promise<void> {
  await markWithReason(table, key, { seq, as: 'rejected_at', at: now.toISOString() }, reason);
}

/** The condition refuses a reason for an erased person, whom it may name: then the mark is stored without it. */
async function markWithReason(
  table: Table,
  key: recipientKey.RecipientKey,
  mark: journal.Mark,
  reason: string,
): Promise<void> {
  const details = { ...mark.with, ...(reason && { bounce_reason: reason }) };
  const isStored = await claimStore.markClaim(table, key, { ...mark, with: details });
  if (!isStored && reason) await claimStore.markClaim(table, key, mark);
}

const IN_A_ROW = 5;
const MOST_READ = 30;

type Marked = Pick<
  journal.Claim,
  'seq' | 'bounced_at' | 'bounce' | 'opened_at' | 'first_clicked_at' | 'delivered_at'
>;

export async function isInRow(table: Table, key: recipientKey.RecipientKey, seq: number): Promise<boolean> {
  const reach = { since: new Date(0), enough: MOST_READ, consistent: true };
  const { claims } = await claimStore.readPerson(table, key, reach);
  return isRow(claims, seq);
}

/** `emails`: newest first. Newer ones of which nothing is known yet may still be on their way, and do not matter. */
export function isRow(emails: Marked[], seq: number): boolean {
  const place = emails.findIndex(email => email.seq === seq);
  if (place < 0) return false;
  const end = emails.findIndex((email, index) => index >= place && !isSoft(email));
  const start = emails.findLastIndex((email, index) => index <= place && !isSoft(email)) + 1;
  const length = (end < 0 ? emails.length : end) - start;
  return length >= IN_A_ROW && !emails.slice(0, start).some(hasArrived);
}

const isRead = ({ opened_at, first_clicked_at }: Marked) => Boolean(opened_at ?? first_clicked_at);
const hasArrived = (email: Marked) => isRead(email) || Boolean(email.delivered_at && !email.bounced_at);
const isSoft = (email: Marked) => email.bounce === 'soft' && !isRead(email);

function complain({ table, now }: Needs, { key, claim: email, provider }: Email): Promise<void> {
  const mark = {
    seq: email.seq,
    as: 'complained_at',
    at: now.toISOString(),
    ...(provider && { with: { provider } }),
  } as const;
  const claimWrite = ({ complained_at }: journal.Claim) =>
    complained_at ? undefined : claimStore.markWrite(table, key, mark);
  return suppressions.suppress({ table, now }, key, { email, why: 'complaint', claimWrite });
}

/** Once for each email: the person may have subscribed again since. */
async function unsubscribe({ table, now }: Needs, { key, claim }: Email): Promise<void> {
  if (claim.unsubscribed_at) return;
  const { seq, list_id } = claim;
  const mark = { seq, as: 'unsubscribed_at', at: now.toISOString() } as const;
  const { isChanged } = await recipient.change({ table, now }, key, list_id, state => {
    const change =
      state.membership && memberships.membershipChange(now, state, { is_subscribed: false }, 'provider');
    return change && { ...memberships.byEmail(change, seq), mark };
  });
  if (!isChanged) await claimStore.markClaim(table, key, mark);
}

/**
 * Stores what an event proves about an email with an unknown outcome. While its batch is being posted, the event is kept in
 * the claim; `applyEarlyEvents` applies it when the batch has ended. Returns false if the email was not sent, or another provider
 * took it.
 */
export const applyProviderEvent = (
  needs: Needs,
  key: recipientKey.RecipientKey,
  { batch, seq }: Pick<journal.Claim, 'batch' | 'seq'>,
  proof: keyof typeof PROVEN,
  provider?: ProviderEvent['provider'],
): Promise<boolean> =>
  optimistically({
    read: async () => {
      // Read before the claim: if it is still being posted, the process that ends it will see the mark stored below.
      const [answered] = await readAnswered(needs.table, key.organization, [batch]);
      return { answered, claim: await claimStore.readClaim(needs.table, key, seq) };
    },
    write: async ({ answered, claim }) => {
      if (!answered || !claim) return false;
      const { head } = answered;
      if (provider && head.provider && head.provider !== provider) return false;
      const { as, outcome } = PROVEN[proof];
      const mark = { seq, as, at: needs.now.toISOString() };
      if (isBeingPosted(head, needs.now)) {
        if (claim[as]) return true;
        await claimStore.markClaim(needs.table, key, mark);
        // The batch may have ended before the mark was stored, so it is read again.
        return undefined;
      }
      if (head.state === 'posting') {
        await end(needs.table, key.organization, head, { event: 'orphaned' });
        return undefined;
      }
      const status = outcomeOf(answered, { hash: key.hash, seq }, needs.now)?.status;
      if (status !== 'unknown') return status === 'sent';
      await claimStore.storeOutcome(needs.table, key, { ...mark, outcome });
      return true;
    },
    conflict: 'Other events of this batch are being stored. Please try again.',
  });

export async function applyEarlyEvents(
  { table, now }: Needs,
  organization: number,
  batch: string,
): Promise<void> {
  const found = await readBatch(table, organization, batch);
  if (!found) return;
  const open = found.sends.filter(send => outcomeOf(found, send, now)?.status === 'unknown');
  const emails = open.map(({ hash, seq }) => ({ key: { organization, hash }, seq }));
  for (const { hash, claim } of await claimStore.readClaims(table, emails)) {
    if (claim.outcome) continue;
    const proof = claim.delivered_at ? 'delivered' : claim.rejected_at ? 'rejected' : undefined;
    if (!proof) continue;
    const at = claim[PROVEN[proof].as] ?? now.toISOString();
    await claimStore.storeOutcome(table, { organization, hash }, { seq: claim.seq, at, ...PROVEN[proof] });
  }
}
