import * as automations from '#core/automation/automation.store.ts';
import { daysAfter, triggerOf } from '#core/automation/due/rule.ts';
import * as combination from '#core/content/combination/combination.ts';
import type * as listStore from '#core/list/list.store.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import type * as membershipStore from '#core/recipient/membership.store.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import * as batches from '#core/sending/batch/read.ts';
import { memberValues, untrackedSubject } from '#core/sending/preview.ts';
import type { Table } from '#core/storage/table.store.ts';
import { DELETED } from '#shared/send-status.ts';
import type { Email } from './actions.ts';

type Needs = { table: Table; now: Date; publicUrl: string };

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
                ...{ combination: chosen, unsubscribeText: list?.unsubscribe_text ?? '', values },
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
export async function sentOf(
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
