import { daysAfter, triggerOf } from '#core/automation/due/occurrences.ts';
import * as combinations from '#core/content/combination.ts';
import { newId } from '#core/id.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import * as claims from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { SKIPPED, type Skipped } from '#shared/send-status.ts';
import { batchId, batchPrefix } from '../batch/batch.store.ts';
import * as batches from '../batch/outcome.ts';
import type { FoundEmail } from '../log/email.ts';
import { type Candidate, instantOf, minuteOf, type Pack, type Resend } from '../pack.ts';
import {
  blockedBy,
  endOfQuiet,
  isHeldOut,
  readContext,
  type SendingContext,
  type SendingState,
} from '../state.ts';
import { isLost } from '../stop.ts';
import { type Claims, lostEachAttempt, MOST_ATTEMPTS } from './claim.ts';
import { capReason, isReleasing } from './decide.ts';

type Needs = {
  table: Table;
  now: Date;
  /** Queues a pack with a delay in seconds. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
};

/** Longer than this process runs, so that the request is stored before the pack is delivered. */
const DELAY = 60;

/** The pack is queued before the request is stored: without a stored request, it sends nothing. */
export async function resend(
  needs: Needs,
  { key, claim: { seq, list_id: list, automation_id: automation } }: FoundEmail,
  user: string,
): Promise<{ id: string }> {
  const { table, now, queue } = needs;
  const request = newId();
  const pack: Pack = {
    id: request,
    organization: key.organization,
    minute: minuteOf(now),
    sources: [{ list, column: '', automation }],
    people: [[key.hash, [[0, minuteOf(now)]]]],
    resend: { seq, request, user },
  };
  await requireResendable(needs, pack, seq);
  await queue(pack, DELAY);
  if (!(await claims.requestResend(table, key, seq, request))) throw sentAgain();
  return { id: recipientKey.claimId({ hash: key.hash, seq }) };
}

/** Refuses at once what the sender would refuse later. */
async function requireResendable({ table, now }: Needs, pack: Pack, seq: number): Promise<void> {
  const [[hash] = ['']] = pack.people;
  const key = { organization: pack.organization, hash };
  const [context, claim] = await Promise.all([
    readContext(table, pack, now),
    claims.readClaim(table, key, seq),
  ]);
  if (!claim) throw new Refusal('not-found', 'Email not found');
  const outcomes = await batches.readOutcomes({ table, now }, key, [claim]);
  if (outcomes.get(seq)?.status !== 'unknown' || claim.delivered_at) {
    throw refused('Only an email of which nobody knows whether it was sent can be sent again.');
  }
  if (claim.resend !== undefined) throw sentAgain();
  const person = await claims.readPerson(table, key, {
    since: new Date(now.getTime() - safeguards.LONGEST_WINDOW),
    enough: context.safeguards.enabled ? context.safeguards.max_emails_1_week : 1,
    consistent: true,
  });
  const reason = resendRefusal(context, pack, claim, person, now);
  if (reason && reason !== 'arrived') throw refused(`${SKIPPED[reason]}.`);
  const end = endOfQuiet(context.organization, now);
  if (end)
    throw refused(`Nothing is sent in quiet hours, which last until ${timeIn(context.organization, end)}.`);
}

function timeIn(organization: SendingState['organization'], instant: Date): string {
  const { time_zone } = sendingHours.shown(organization ?? {});
  const time = instant.toLocaleTimeString('en-GB', { timeZone: time_zone, timeStyle: 'short' });
  return `${time} (${time_zone})`;
}

const refused = (message: string) => new Refusal('conflict', message);

const sentAgain = () => refused('This email was sent again already.');

/** The key of the resend of an occurrence. */
export const resendKey = (key: string) => `${key}#again`;

type ClaimNeeds = { table: Table; now: () => Date };

/** Claims it if the user's request still stands and nothing prevents it. */
export async function claimResend(
  { table, now }: ClaimNeeds,
  context: SendingContext,
  pack: Pack,
  resend: Resend,
  [hash]: Candidate,
): Promise<Claims> {
  const key = { organization: pack.organization, hash };
  const none = { claimed: [], skips: [], isReleasing: false };
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const claimedAt = now();
    const claim = await claims.readClaim(table, key, resend.seq);
    // The request was never stored, or another pack has fulfilled it.
    if (claim?.resend !== resend.request) return none;
    const person = await claims.readPerson(table, key, {
      since: new Date(claimedAt.getTime() - safeguards.LONGEST_WINDOW),
      enough: Number.POSITIVE_INFINITY,
      consistent: true,
    });
    const again = person.claims.find(
      ({ resends, key }) => resends === resend.seq && key === resendKey(claim.key),
    );
    if (again && isReleasing(pack, again)) return { ...none, isReleasing: true };
    if (again && !again.batch.startsWith(batchPrefix(pack))) return none;
    const reason = again ? undefined : resendRefusal(context, pack, claim, person, claimedAt);
    if (reason === 'arrived') {
      await claims.dropResend(table, key, resend.seq, resend.request);
      return none;
    }
    const membership = person.memberships.get(claim.list_id);
    const automation = context.automations.get(claim.automation_id);
    const choice = await combinations.read(table, pack.organization, claim.combination);
    const content = choice && (await context.contents.ofChoice(choice));
    if (reason || !membership || !automation || !content) {
      if (again) await claims.releaseClaim(table, key, again.seq);
      return { ...none, skips: [{ hash, source: 0, reason: reason ?? 'no_content' }] };
    }
    const next = again ?? repeated(pack, claim, person, resend, claimedAt);
    if (again || (await claims.writeClaim(table, key, next, undefined))) {
      const days = daysAfter(triggerOf(membership, automation), claim.key, automation) ?? 0;
      const email = { hash, claim: next, membership, automation, content, days, claimedAt };
      return { ...none, claimed: [email] };
    }
  }
  throw lostEachAttempt();
}

/** Why an email may not be sent again; `arrived`: an event of the provider has settled its outcome. */
function resendRefusal(
  context: SendingContext,
  { minute, people: [candidate] }: Pick<Pack, 'minute' | 'people'>,
  claim: journal.Claim,
  person: claims.Person,
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
  const automation = context.automations.get(claim.automation_id);
  if (automation && candidate && isHeldOut(context, automation, candidate[0])) return 'held_out';
  const mayMail = context.mayMail?.(claim.list_id, now, '', 0) ?? true;
  return capReason(context, person.claims, instantAfter(person, now)) ?? (mayMail ? undefined : 'warm_up');
}

/** Never before the previous entry. */
const instantAfter = ({ last }: claims.Person, now: Date) =>
  last.at > now.toISOString() ? new Date(last.at) : now;

const repeated = (
  pack: Pack,
  { list_id, automation_id, key, combination, share, weighted, mailbox, values, trigger }: journal.Claim,
  person: claims.Person,
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
  ...(share !== undefined && { share }),
  ...(weighted && { weighted }),
  ...(mailbox && { mailbox }),
  ...(values && { values }),
  ...(trigger && { trigger }),
  resends: seq,
  resent_by: user,
});
