import { daysAfter, triggerOf } from '#core/automation/due/rule.ts';
import * as combinations from '#core/content/combination.ts';
import * as safeguards from '#core/organization/caps.ts';
import * as claimStore from '#core/recipient/claim.store.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import * as sent from '#core/recipient/sent.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Skipped } from '#shared/send-status.ts';
import { batchId, batchPrefix } from '../batch/batch-id.ts';
import { type Candidate, instantOf, type Pack, type Resend } from '../pack.ts';
import { blockedBy } from '../state.ts';
import { assumedSends, isLost } from '../stop.ts';
import type { Claims } from './claimed.ts';
import type { SendingContext } from './context.ts';
import { isReleasing } from './decide.ts';

type Needs = { table: Table; now: () => Date };

/** Of two processes that append an entry with the same number, one fails and retries. */
const MOST_TRIES = 20;

/** The key of the resend of an occurrence. */
export const resendKey = (key: string) => `${key}#again`;

/** Claims an email with an unknown outcome again, if the user's request still stands and nothing prevents it. */
export async function claimResend(
  { table, now }: Needs,
  context: SendingContext,
  pack: Pack,
  resend: Resend,
  [hash]: Candidate,
): Promise<Claims> {
  const key = { organization: pack.organization, hash };
  const none = { claimed: [], skips: [], isReleasing: false };
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const claimedAt = now();
    const claim = await sent.readClaim(table, key, resend.seq);
    // The request was never stored, or another pack has fulfilled it.
    if (claim?.resend !== resend.request) return none;
    const person = await claimStore.readPerson(table, key, {
      since: new Date(claimedAt.getTime() - safeguards.LONGEST_WINDOW),
      enough: Number.POSITIVE_INFINITY,
      consistent: true,
    });
    const again = person.claims.find(one => one.resends === resend.seq && one.key === resendKey(claim.key));
    if (again && isReleasing(pack, again)) return { ...none, isReleasing: true };
    if (again && !again.batch.startsWith(batchPrefix(pack))) return none;
    const reason = again ? undefined : resendRefusal(context, pack, claim, person, claimedAt);
    if (reason === 'arrived') {
      await sent.dropResend(table, key, resend.seq, resend.request);
      return none;
    }
    const membership = person.memberships.get(claim.list_id);
    const automation = context.automations.get(claim.automation_id);
    const choice = await combinations.read(table, pack.organization, claim.combination);
    const content = choice && (await context.contents.ofChoice(choice));
    if (reason || !membership || !automation || !choice || !content) {
      if (again) await claimStore.releaseClaim(table, key, again.seq);
      return { ...none, skips: [{ hash, source: 0, reason: reason ?? 'no_content' }] };
    }
    const next = again ?? repeated(pack, claim, person, resend, claimedAt);
    if (again || (await claimStore.writeClaim(table, key, next, undefined))) {
      const days = daysAfter(triggerOf(membership, automation), claim.key) ?? 0;
      const one = { hash, claim: next, membership, automation, choice, content, days, claimedAt };
      return { ...none, claimed: [one] };
    }
  }
  throw new Error('Another sender was faster each time');
}

/** Why an email may not be sent again; `arrived`: an event of the provider has settled its outcome. */
export function resendRefusal(
  context: SendingContext,
  { minute }: Pick<Pack, 'minute'>,
  claim: journal.Claim,
  person: claimStore.Person,
  now: Date,
): Skipped | 'arrived' | undefined {
  // An event that arrives before the batch has ended is in `delivered_at` alone.
  if (claim.outcome || claim.delivered_at) return 'arrived';
  const source = { list: claim.list_id, automation: claim.automation_id };
  const blocked = blockedBy(context, source, instantOf(minute));
  if (blocked) return blocked;
  // The restore may have lost the outcome, and an earlier resend.
  if (isLost(context.stage, new Date(claim.at))) return 'restored';
  if (person.suppression) return 'suppressed';
  if (person.memberships.get(claim.list_id)?.status !== 'subscribed') return 'not_subscribed';
  const instants = person.claims.map(({ at }) => Date.parse(at));
  const at = instantAfter(person, now).getTime();
  const window = safeguards.cappedBy(context.safeguards, instants, at, assumedSends(context.stage));
  return window && `capped:${window.field}`;
}

/** The instant of a claim made now. It is never before that of the previous entry. */
const instantAfter = ({ last }: claimStore.Person, now: Date) =>
  last.at > now.toISOString() ? new Date(last.at) : now;

const repeated = (
  pack: Pack,
  { list_id, automation_id, key, combination, values, trigger }: journal.Claim,
  person: claimStore.Person,
  { seq, user }: Resend,
  now: Date,
): journal.Claim => ({
  seq: person.last.seq + 1,
  type: 'send',
  at: instantAfter(person, now).toISOString(),
  list_id,
  automation_id,
  key: resendKey(key),
  batch: batchId({ minute: pack.minute, pack: pack.id, list: list_id, automation: automation_id }),
  combination,
  ...(values && { values }),
  ...(trigger && { trigger }),
  resends: seq,
  resent_by: user,
});
