import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.store.ts';
import { daysAfter, triggerOf } from '#core/automation/due/occurrences.ts';
import * as combinations from '#core/content/combination.ts';
import { designOf, designWith, readVersion } from '#core/content/look.ts';
import * as lists from '#core/list/list.store.ts';
import type * as organizations from '#core/organization/organization.store.ts';
import * as claims from '#core/recipient/claim.ts';
import * as journal from '#core/recipient/journal.ts';
import type { Membership } from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import type { Design } from '#shared/email/layout.ts';
import type { EmailSendContent } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import type * as batchStore from '../batch/batch.store.ts';
import * as readStore from '../batch/outcome.ts';
import { memberValues, shownEmail, untracked, untrackedSubject } from '../preview.ts';

export type FoundEmail = { key: recipientKey.RecipientKey; claim: journal.Claim };

/** Always within this organization. */
export function keysOf(organization: number, id: string): Key[] {
  const named = recipientKey.readClaimId(id);
  return named ? [journal.entryKey({ organization, hash: named.hash }, named.seq)] : [];
}

export function found(organization: number, id: string, items: Item[]): FoundEmail {
  const named = recipientKey.readClaimId(id);
  const claim = items.map(journal.claimIn).find(entry => entry !== undefined);
  if (!named || !claim) throw new Refusal('not-found', 'Email not found');
  return { key: { organization, hash: named.hash }, claim };
}

export type Needs = {
  table: Table;
  publicUrl: string;
  /** Whose look its lists inherit. */
  organization: Pick<organizations.StoredOrganization, 'look'>;
};

/** Exact where its values were stored, else as it would be written now. */
export async function content(needs: Needs, email: FoundEmail): Promise<EmailSendContent> {
  const { table, publicUrl } = needs;
  const { key, claim } = email;
  const { organization } = key;
  const choice = await combinations.read(table, organization, claim.combination);
  const chosen = choice && (await combinations.load(table, organization, choice, { withDeleted: true }));
  const shown = chosen && ((await asSent(needs, email)) ?? (await asWrittenNow(needs, email, chosen)));
  if (!chosen || !shown) {
    throw new Refusal('conflict', 'This email cannot be shown any more: its list or its content is deleted.');
  }
  const { values, trigger, is_exact, as, design } = shown;
  const written = untracked(publicUrl, {
    combination: chosen,
    unsubscribeText: as.unsubscribe_text,
    values,
    design,
  });
  const { subject, html, text } = shownEmail(written);
  return {
    sender: {
      name: as.sender_name,
      email: as.sender_address,
      subject,
      list_name: as.list_name,
      automation_name: as.automation_name,
      trigger_metadata: trigger ?? null,
    },
    html,
    plaintext: text,
    is_exact,
  };
}

type EmailValues = {
  values: Parameters<typeof untracked>[1]['values'];
  trigger: string | undefined;
  is_exact: boolean;
  as: batchStore.ShownAs;
  design: Design | undefined;
};

type Sent = {
  claim: journal.Claim;
  chosen: combinations.Subject | undefined;
  automation: StoredAutomation | undefined;
  membership: Membership | undefined;
  list: Pick<lists.StoredList, 'unsubscribe_text'> | undefined;
};

// A value may be much longer than any line.
const LONGEST_SUBJECT = 300;

/** With the values it was sent with, if they are stored, else with those of now. */
export function subjectOf({ claim, chosen, automation, membership, list }: Sent) {
  const of = automation ?? { id: claim.automation_id, name: DELETED };
  const trigger =
    claim.trigger ?? (automation && membership && triggerOf(membership, automation)?.toISOString());
  const days = daysAfter(trigger === undefined ? undefined : new Date(trigger), claim.key, automation);
  const { metadata = {}, email = '' } = membership ?? {};
  const values = claim.values
    ? new Map(Object.entries(claim.values))
    : chosen && memberValues({ automation: of, combination: chosen, metadata, days, email });
  const unsubscribeText = list?.unsubscribe_text ?? '';
  const subject = chosen && values && untrackedSubject({ combination: chosen, unsubscribeText, values });
  const isLong = subject !== undefined && subject.length > LONGEST_SUBJECT;
  return { trigger, subject: isLong ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject };
}

async function asSent(
  { table, publicUrl }: Needs,
  { key, claim }: FoundEmail,
): Promise<EmailValues | undefined> {
  const { values, trigger } = claim;
  if (!values) return undefined;
  const [answered] = await readStore.readAnswered(table, key.organization, [claim.batch]);
  const as = answered?.head.shown_as;
  if (!as) return undefined;
  const look = await readVersion(table, key.organization, as.look);
  const design = look && designWith(publicUrl, look, as.logo, as.public_name ?? '');
  return { values: new Map(Object.entries(values)), trigger, is_exact: true, as, design };
}

async function asWrittenNow(
  needs: Needs,
  { key: { organization, hash }, claim }: FoundEmail,
  chosen: combinations.Combination,
): Promise<EmailValues | undefined> {
  const { table } = needs;
  const [[list], [found], [person]] = await Promise.all([
    lists.readThese(table, organization, [claim.list_id]),
    automations.readThese(table, organization, [claim.automation_id]),
    claims.readSent(table, organization, [{ hash, list: claim.list_id, seq: claim.seq }]),
  ]);
  if (!list) return undefined;
  const membership = person?.membership;
  const automation = found ?? { id: claim.automation_id, name: DELETED };
  const trigger = found && membership && triggerOf(membership, found);
  const { name: list_name, sender_name, sender_address, unsubscribe_text } = list;
  return {
    values: memberValues({
      automation,
      combination: chosen,
      days: daysAfter(trigger, claim.key, found),
      send: recipientKey.claimId({ hash, seq: claim.seq }),
      metadata: membership?.metadata ?? {},
      email: person?.email ?? '',
    }),
    trigger: trigger?.toISOString(),
    is_exact: false,
    design: await designOf(needs, list, needs.organization),
    as: { list_name, automation_name: automation.name, sender_name, sender_address, unsubscribe_text },
  };
}
