import { DELETED, type EmailSendContent } from '../../../../shared/send.ts';
import * as automations from '../../automation/automation/automation.ts';
import { daysAfter, triggerOf } from '../../automation/due/due.ts';
import * as combination from '../../content/combination/combination.ts';
import { untracked } from '../../content/preview/preview.ts';
import * as lists from '../../list/list/list.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Found } from './found.ts';

export { type Found, found, keysOf } from './found.ts';
export { page } from './log.ts';
export { resend } from './resend.ts';

/** An email as it would be written now: with its stored content, for the member as they are. */
export async function content(
  { table, publicUrl }: { table: Table; publicUrl: string },
  { key: { organization, hash }, claim }: Found,
): Promise<EmailSendContent> {
  const [[list], [automation], [person], choice] = await Promise.all([
    lists.readThese(table, organization, [claim.list_id]),
    automations.readThese(table, organization, [claim.automation_id]),
    recipient.readSent(table, organization, [{ hash, list: claim.list_id }]),
    combination.read(table, organization, claim.combination),
  ]);
  const chosen = choice && (await combination.load(table, organization, choice, { withDeleted: true }));
  if (!list || !chosen) {
    throw new Refusal('conflict', 'This email cannot be shown any more: its list or its content is deleted.');
  }
  const membership = person?.membership;
  const trigger = automation && membership && triggerOf(membership, automation);
  const { subject, html, text } = untracked(publicUrl, {
    automation: automation ?? { id: claim.automation_id, name: DELETED },
    combination: chosen,
    list,
    metadata: membership?.metadata ?? {},
    days: daysAfter(trigger, claim.key),
  });
  return {
    sender: {
      name: list.sender_name,
      email: list.sender_address,
      subject,
      list_name: list.name,
      automation_name: automation?.name ?? DELETED,
      trigger_metadata: trigger?.toISOString() ?? null,
    },
    html,
    plaintext: text,
  };
}
