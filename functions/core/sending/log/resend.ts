import { newId } from '#core/id.ts';
import * as safeguards from '#core/organization/caps.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import * as claimStore from '#core/recipient/claim.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as sent from '#core/recipient/sent.store.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { SKIPPED } from '#shared/send-status.ts';
import * as batches from '../batch/read.ts';
import { readContext } from '../claim/context.ts';
import { resendRefusal } from '../claim/resend.ts';
import { minuteOf, type Pack } from '../pack.ts';
import { endOfQuiet, type SendingState } from '../state.ts';
import type { FoundEmail } from './found.ts';

type Needs = {
  table: Table;
  now: Date;
  /** Queues a pack with a delay in seconds. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
};

/** Longer than this process runs, so that the request is stored before the pack is delivered. */
const DELAY = 60;

const refused = (message: string) => new Refusal('conflict', message);

/**
 * Sends an email with an unknown outcome again, once. The pack is queued before the request is stored: without a stored
 * request, the pack sends nothing.
 */
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
  if (!(await sent.requestResend(table, key, seq, request))) throw sentAgain();
  return { id: recipientKey.claimId({ hash: key.hash, seq }) };
}

const sentAgain = () => refused('This email was sent again already.');

/** Refuses at once what the sender would refuse later. */
async function requireResendable({ table, now }: Needs, pack: Pack, seq: number): Promise<void> {
  const [[hash] = ['']] = pack.people;
  const key = { organization: pack.organization, hash };
  const [context, claim] = await Promise.all([
    readContext(table, pack.organization, pack.sources),
    sent.readClaim(table, key, seq),
  ]);
  if (!claim) throw new Refusal('not-found', 'Email not found');
  const outcomes = await batches.readOutcomes({ table, now }, key, [claim]);
  if (outcomes.get(seq)?.status !== 'unknown' || claim.delivered_at) {
    throw refused('Only an email of which nobody knows whether it was sent can be sent again.');
  }
  if (claim.resend !== undefined) throw sentAgain();
  const person = await claimStore.readPerson(table, key, {
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
