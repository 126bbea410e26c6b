import * as automations from '#core/automation/automation.store.ts';
import * as lists from '#core/list/list.store.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as sent from '#core/recipient/sent.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { EmailSend } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import * as outcomeStore from '../batch/outcome.ts';
import * as read from '../batch/read.ts';
import { type End, endOf, type Row } from './row.ts';

type Needs = { table: Table; now: Date };

/** Reads what is shown of some rows, as it is now. */
export async function shown({ table, now }: Needs, organization: number, rows: Row[]): Promise<EmailSend[]> {
  const [people, foundLists, foundAutomations] = await Promise.all([
    sent.readSent(table, organization, rows),
    lists.readThese(table, organization, [...new Set(rows.map(({ list }) => list))]),
    automations.readThese(table, organization, [...new Set(rows.map(({ automation }) => automation))]),
  ]);
  const open = rows.flatMap(({ end }, at) => (end ? [] : (people[at]?.claim?.batch ?? [])));
  const answered = await read.readAnswered(table, organization, open);
  const endIn = ({ hash, seq = 0 }: Row, claim: journal.Claim | undefined): End => {
    const found = answered.find(({ head }) => head.batch === claim?.batch);
    const outcome =
      found && outcomeStore.settledOutcome(outcomeStore.outcomeOf(found, { hash, seq }, now), claim);
    return endOf(
      outcome ?? { status: 'sent', reason: null },
      found?.head.at ?? claim?.at ?? now.toISOString(),
    );
  };
  const named = (all: { id: string; name: string }[], id: string) =>
    all.find(one => one.id === id)?.name ?? DELETED;
  return rows.map((row, at): EmailSend => {
    const { id, hash, list, automation } = row;
    const { email = DELETED, membership, claim } = people[at] ?? {};
    const { status, reason, at: sent_at } = row.end ?? endIn(row, claim);
    const { opened_at = null, first_clicked_at = null, unsubscribed_at = null } = claim ?? {};
    return {
      id,
      status,
      reason,
      sent_at,
      email_list_id: list,
      email_list_name: named(foundLists, list),
      automation_id: automation,
      automation_name: named(foundAutomations, automation),
      combination_id: claim?.combination ?? null,
      recipient_email: email,
      list_member_id: membership ? recipientKey.memberId(list, hash) : null,
      is_opened: opened_at !== null,
      opened_at,
      is_clicked: first_clicked_at !== null,
      first_clicked_at,
      unsubscribed_at,
      is_bounced: claim?.bounced_at !== undefined,
      bounce_reason: claim?.bounce_reason ?? null,
      is_complained: claim?.complained_at !== undefined,
      is_resent: claim?.resend !== undefined,
    };
  });
}
