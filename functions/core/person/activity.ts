import * as automations from '#core/automation/automation.store.ts';
import { daysAfter, triggerOf } from '#core/automation/due/rule.ts';
import * as combination from '#core/content/combination.ts';
import type * as listStore from '#core/list/list.store.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as journal from '#core/recipient/journal.ts';
import type * as membershipStore from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { Refusal } from '#core/refusal.ts';
import * as batches from '#core/sending/batch/outcome.ts';
import * as contentStore from '#core/sending/log/email.ts';
import { memberValues, untrackedSubject } from '#core/sending/preview.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import { type ListMemberAction, MOST_ACTIONS } from '#shared/list-member.ts';
import type { EmailSendContent } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import { type Email, firstAction, journalActions, readActionId } from './activity-actions.ts';

type Needs = { table: Table; now: Date; publicUrl: string };

/** The actions of a member, newest first, back to when they were added. */
export async function actions(needs: Needs, organizationId: number, id: string): Promise<ListMemberAction[]> {
  const { table } = needs;
  const member = await listMember.find({ table }, organizationId, id);
  const { membership } = member.state;
  const { entries, complete } = await journal.readJournal(table, member.key, {
    list_id: member.list.id,
    since: membership.created_at,
    most: MOST_ACTIONS,
  });
  const claims = entries.filter(journal.isClaim);
  const clicked = claims.filter(claim => claim.first_clicked_at ?? claim.machine_clicked_at);
  const { added_by } = membership;
  const importIds = [added_by?.import, ...entries.map(entry => !journal.isClaim(entry) && entry.import)];
  const { id: list_id } = member.list;
  const [emails, clicks, imports] = await Promise.all([
    emailsOf(needs, member.key, claims, { lists: [member.list], memberships: [membership] }),
    journal.readClicks(
      table,
      member.key,
      clicked.map(({ seq }) => seq),
    ),
    memberImport.describedAll(
      table,
      organizationId,
      importIds.flatMap(of => (of ? [{ list_id, id: of }] : [])),
    ),
  ]);
  const all = journalActions(id, entries, { emails, clicks: clicks.clicks, imports });
  if (complete && clicks.complete) {
    all.push(firstAction(id, membership, entries, imports.get(added_by?.import ?? '')));
  }
  return all.slice(0, MOST_ACTIONS);
}

const emailNotFound = () => new Refusal('not-found', 'Email not found');

/** The items that `foundEmail` is made of: the list of the member, and the claim of the email. */
export function keysOf(organization: number, id: string): Key[] {
  const named = readActionId(id);
  const hash = named && recipientKey.readMemberId(named.member)?.hash;
  if (!named || hash === undefined) return [];
  return [
    ...listMember.keysOf(organization, named.member),
    journal.entryKey({ organization, hash }, named.seq),
  ];
}

/** The email to a member that the id of an action names. */
export async function foundEmail(
  { table }: { table: Table },
  id: string,
  items: Item[],
): Promise<contentStore.FoundEmail> {
  const named = readActionId(id);
  if (!named) throw emailNotFound();
  const { list, key } = await listMember.found({ table }, named.member, items);
  const claim = items.map(journal.claimIn).find(one => one !== undefined);
  if (claim?.list_id !== list.id || claim.released) throw emailNotFound();
  return { key, claim };
}

/** The content of an email. Refused if it was not sent. */
export async function emailContent(needs: Needs, found: contentStore.FoundEmail): Promise<EmailSendContent> {
  const [sent] = await sentOf(needs, found.key, [found.claim]);
  if (!sent) throw emailNotFound();
  return contentStore.content(needs, found);
}

/** The lists and memberships that exist: emails whose claims have no values are rendered with these. */
type Of = {
  lists: Pick<listStore.StoredList, 'id' | 'unsubscribe_text'>[];
  memberships: membershipStore.Membership[];
};

/** The emails of these claims that were sent, or may have been, by the numbers of the claims. */
export async function emailsOf(
  needs: Needs,
  key: recipientKey.RecipientKey,
  claims: journal.Claim[],
  { lists, memberships }: Of,
): Promise<Map<number, Email>> {
  const { table, publicUrl } = needs;
  const sent = await sentOf(needs, key, claims);
  const distinct = (of: (email: Sent) => string) => [...new Set(sent.map(of))];
  const [foundAutomations, subjects] = await Promise.all([
    automations.readThese(
      table,
      key.organization,
      distinct(({ claim }) => claim.automation_id),
    ),
    combination.subjects(
      table,
      key.organization,
      distinct(({ claim }) => claim.combination),
    ),
  ]);
  return new Map(
    sent.map(({ claim, ...outcome }) => {
      const found = foundAutomations.find(one => one.id === claim.automation_id);
      const automation = found ?? { id: claim.automation_id, name: DELETED };
      const membership = memberships.find(({ list_id }) => list_id === claim.list_id);
      const trigger = claim.trigger ?? (found && membership && triggerOf(membership, found)?.toISOString());
      const chosen = subjects.get(claim.combination);
      const days = daysAfter(trigger === undefined ? undefined : new Date(trigger), claim.key);
      const { metadata = {}, email: address = '' } = membership ?? {};
      const list = lists.find(({ id }) => id === claim.list_id);
      const values = claim.values
        ? new Map(Object.entries(claim.values))
        : chosen && memberValues({ automation, combination: chosen, metadata, days, email: address });
      const email: Email = {
        ...outcome,
        automation_name: automation.name,
        ...(chosen &&
          values && {
            subject: shortened(
              untrackedSubject(publicUrl, {
                combination: chosen,
                unsubscribeText: list?.unsubscribe_text ?? '',
                values,
              }),
            ),
          }),
        ...(trigger && { trigger_metadata: trigger }),
      };
      return [claim.seq, email];
    }),
  );
}

// Each action of an email names its subject, and a value may be much longer than any line.
const LONGEST_SUBJECT = 300;

const shortened = (subject: string) =>
  subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject;

type Sent = Pick<Email, 'at' | 'status'> & { claim: journal.Claim };

/** The claims whose emails were sent, or may have been: without failed ones, and those that are not posted yet. */
async function sentOf(
  needs: Needs,
  key: recipientKey.RecipientKey,
  claims: journal.Claim[],
): Promise<Sent[]> {
  const outcomes = await batches.readOutcomes(needs, key, claims);
  return claims.flatMap(claim => {
    const outcome = outcomes.get(claim.seq);
    if (outcome?.status !== 'sent' && outcome?.status !== 'unknown') return [];
    return [{ claim, at: outcome.head.at, status: outcome.status }];
  });
}
