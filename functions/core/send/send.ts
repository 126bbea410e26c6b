import { DELETED, type EmailSendContent } from '../../../shared/send.ts';
import * as automations from '../automation/automation.ts';
import * as combination from '../combination/combination.ts';
import { daysAfter, triggerOf } from '../due/due.ts';
import * as lists from '../list/list.ts';
import { untracked } from '../preview/preview.ts';
import * as recipient from '../recipient/recipient.ts';
import { Refusal } from '../refusal.ts';
import type { Item, Key, Table } from '../table.store.ts';

export { page } from './log.ts';
export { resend } from './resend.ts';

/** An email to somebody: its claim. */
export type Found = { key: recipient.RecipientKey; claim: recipient.Claim };

const ID = /^([\w-]{22})-([1-9]\d{0,8})$/;

const keyOf = (organization: number, id: string) => {
  const [, hash, seq] = ID.exec(id) ?? [];
  return hash === undefined ? undefined : { key: { organization, hash }, seq: Number(seq) };
};

/** The items that `found` is made of: its claim, which the organization's number leads to alone. */
export function keysOf(organization: number, id: string): Key[] {
  const named = keyOf(organization, id);
  return named ? [recipient.entryKey(named.key, named.seq)] : [];
}

export function found(organization: number, id: string, items: Item[]): Found {
  const named = keyOf(organization, id);
  const claim = items.map(recipient.claimIn).find(one => one !== undefined);
  if (!named || !claim) throw new Refusal('not-found', 'Email not found');
  return { key: named.key, claim };
}

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
