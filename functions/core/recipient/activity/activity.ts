import { type ListMemberAction, MOST_ACTIONS } from '../../../../shared/list-member.ts';
import type { EmailSendContent } from '../../../../shared/send.ts';
import { DELETED } from '../../../../shared/send-status.ts';
import * as automations from '../../automation/automation/automation.ts';
import { daysAfter, triggerOf } from '../../automation/due/due.ts';
import * as combination from '../../content/combination/combination.ts';
import { memberValues, untrackedSubject } from '../../content/preview/preview.ts';
import * as listMember from '../../list/list-member/list-member.ts';
import * as memberImport from '../../list/member-import/member-import.ts';
import { Refusal } from '../../refusal.ts';
import * as batches from '../../sending/batch/batch.ts';
import * as log from '../../sending/log/log.ts';
import type { Item, Key, Table } from '../../storage/table.store.ts';
import * as recipient from '../recipient/recipient.ts';
import { type Email, firstAction, newestFirst, readActionId } from './actions.ts';

type Needs = { table: Table; now: Date; publicUrl: string };

/** What happened with a member, newest first, back to when they were added. */
export async function actions(needs: Needs, organizationId: number, id: string): Promise<ListMemberAction[]> {
  const { table } = needs;
  const member = await listMember.find({ table }, organizationId, id);
  const { membership } = member.state;
  const { entries, complete } = await recipient.readJournal(table, member.key, {
    list_id: member.list.id,
    since: membership.created_at,
    most: MOST_ACTIONS,
  });
  const claims = entries.filter(recipient.isClaim);
  const clicked = claims.filter(claim => claim.first_clicked_at ?? claim.machine_clicked_at);
  const [emails, clicks, imported] = await Promise.all([
    emailsOf(needs, member, claims),
    recipient.readClicks(
      table,
      member.key,
      clicked.map(({ seq }) => seq),
    ),
    membership.import?.added && memberImport.described(table, member.list, membership.import.id),
  ]);
  const all = newestFirst(id, entries, emails, clicks.clicks);
  if (complete && clicks.complete) all.push(firstAction(id, membership, entries, imported));
  return all.slice(0, MOST_ACTIONS);
}

/** What was sent of these claims, or may have been, by the numbers of the claims. */
async function emailsOf(
  needs: Needs,
  { list, key, state: { membership } }: listMember.MemberWithList,
  claims: recipient.Claim[],
): Promise<Map<number, Email>> {
  const { table, publicUrl } = needs;
  const sent = await outcomesOf(needs, key, claims);
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
      const trigger = claim.trigger ?? (found && triggerOf(membership, found)?.toISOString());
      const chosen = subjects.get(claim.combination);
      const days = daysAfter(trigger === undefined ? undefined : new Date(trigger), claim.key);
      const { metadata, email: address } = membership;
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
                ...{ combination: chosen, unsubscribeText: list.unsubscribe_text, values },
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

type Sent = Pick<Email, 'at' | 'status'> & { claim: recipient.Claim };

/** Without those that failed, and those that nobody has posted yet. */
async function outcomesOf(
  needs: Needs,
  key: recipient.RecipientKey,
  claims: recipient.Claim[],
): Promise<Sent[]> {
  const outcomes = await batches.readOutcomes(needs, key, claims);
  return claims.flatMap(claim => {
    const outcome = outcomes.get(claim.seq);
    if (outcome?.status !== 'sent' && outcome?.status !== 'unknown') return [];
    return [{ claim, at: outcome.head.at, status: outcome.status }];
  });
}

const emailNotFound = () => new Refusal('not-found', 'Email not found');

/** The items that `foundEmail` is made of: the list of the member, and the claim of the email. */
export function keysOf(organization: number, id: string): Key[] {
  const named = readActionId(id);
  const hash = named && recipient.readMemberId(named.member)?.hash;
  if (!named || hash === undefined) return [];
  return [
    ...listMember.keysOf(organization, named.member),
    recipient.entryKey({ organization, hash }, named.seq),
  ];
}

/** The email to a member that the id of an action names. */
export async function foundEmail(
  { table }: { table: Table },
  id: string,
  items: Item[],
): Promise<log.FoundEmail> {
  const named = readActionId(id);
  if (!named) throw emailNotFound();
  const { list, key } = await listMember.found({ table }, named.member, items);
  const claim = items.map(recipient.claimIn).find(one => one !== undefined);
  if (claim?.list_id !== list.id || claim.released) throw emailNotFound();
  return { key, claim };
}

/** What an email said; refused where it was not sent. */
export async function emailContent(needs: Needs, found: log.FoundEmail): Promise<EmailSendContent> {
  const [sent] = await outcomesOf(needs, found.key, [found.claim]);
  if (!sent) throw emailNotFound();
  return log.content(needs, found);
}
