import * as claim from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';

const IN_A_ROW = 5;
/** How many of a person's newest emails are read. */
const MOST_READ = 30;

type Marked = Pick<
  journal.Claim,
  'seq' | 'bounced_at' | 'bounce' | 'opened_at' | 'first_clicked_at' | 'delivered_at'
>;

/** Whether a person opened or clicked an email, so that it certainly arrived. */
const isRead = ({ opened_at, first_clicked_at }: Marked) => Boolean(opened_at ?? first_clicked_at);
const hasArrived = (email: Marked) => isRead(email) || Boolean(email.delivered_at && !email.bounced_at);
const isSoft = (email: Marked) => email.bounce === 'soft' && !isRead(email);

/**
 * Whether the email `seq` is in a row of five soft bounces, and no newer email arrived. `emails` are the newest of a person,
 * newest first. Newer emails of which nothing is known yet may still be on their way, and do not matter.
 */
export function isRow(emails: Marked[], seq: number): boolean {
  const at = emails.findIndex(email => email.seq === seq);
  if (at < 0) return false;
  const end = emails.findIndex((email, index) => index >= at && !isSoft(email));
  const start = emails.findLastIndex((email, index) => index <= at && !isSoft(email)) + 1;
  const length = (end < 0 ? emails.length : end) - start;
  return length >= IN_A_ROW && !emails.slice(0, start).some(hasArrived);
}

export async function isInRow(table: Table, key: recipientKey.RecipientKey, seq: number): Promise<boolean> {
  const reach = { since: new Date(0), enough: MOST_READ, consistent: true };
  const { claims } = await claim.readPerson(table, key, reach);
  return isRow(claims, seq);
}
