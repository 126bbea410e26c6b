import type { Preview } from '../../../../shared/automation.ts';
import { compose, fill, fillSubject, type Rendered } from '../../../../shared/email/email.ts';
import type { Reader } from '../../../../shared/email/encode.ts';
import { ownValues, valuesFor } from '../../../../shared/email/own-values.ts';
import type { Metadata } from '../../../../shared/metadata.ts';
import { languageOf } from '../../../../shared/unsubscribe-words.ts';
import type { StoredAutomation } from '../../automation/automation/automation.ts';
import { triggerOf } from '../../automation/due/due.ts';
import { newId } from '../../id.ts';
import * as list from '../../list/list/list.ts';
import * as listMember from '../../list/list-member/list-member.ts';
import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import * as combination from '../combination/combination.ts';

type Needs = { table: Table; now: Date; publicUrl: string };

export const newSeed = () => newId(16);

type Previewed = Rendered & { list: list.Found };

/** An email of an automation as one of its members would get it, with links that are not tracked. */
export async function preview(needs: Needs, automation: StoredAutomation, seed: string): Promise<Preview> {
  const { html, text, list } = await render(needs, automation, seed);
  return { html, plaintext: text, sender: senderOf(list), seed };
}

const senderOf = ({ sender_name, sender_address, name }: list.Found) => ({
  name: sender_name,
  email: sender_address,
  list_name: name,
});

/** Posts an email through a list's provider; how the call ended. */
export type Deliver = (email: Delivery) => Promise<'accepted' | 'refused' | 'unknown'>;
export type Delivery = list.Access & Rendered & { from: string; to: string; headers: Record<string, string> };

/** Mails a preview to the user who asked for it: marked as a test, counted nowhere. */
export async function sendTest(
  needs: Needs & { vault: list.Vault; deliver: Deliver },
  automation: StoredAutomation,
  { seed, to }: { seed: string; to: string },
): Promise<void> {
  const { list: from, subject, ...rendered } = await render(needs, automation, seed);
  const access = await list.accessOf(needs, from);
  const answer = await needs.deliver({
    ...access,
    ...rendered,
    subject: `[Test] ${subject}`,
    from: list.fromHeader(from),
    to,
    headers: { 'X-Letterflow-Test': 'true' },
  });
  if (answer === 'accepted') return;
  throw new Refusal('conflict', TEST_FAILURES[answer]);
}

const TEST_FAILURES = {
  refused:
    'Mailgun did not accept the test email. Check the sending key of the list and test its connection.',
  unknown: 'Mailgun gave no clear answer, so the test email may or may not arrive.',
};

async function render(needs: Needs, automation: StoredAutomation, seed: string): Promise<Previewed> {
  const { table, now, publicUrl } = needs;
  const organization = automation.organization_id;
  const chosen = await combination.choose({ table }, organization, automation.id, seed);
  if (!chosen) {
    throw new Refusal(
      'conflict',
      'Failed to generate email preview. Please make sure you have at least one active template.',
    );
  }
  const found = await randomMember({ table }, automation, seed);
  const { list, state } = found;
  const { metadata } = state.membership;
  const days = daysSince(triggerOf(state.membership, automation), now);
  return { ...untracked(publicUrl, { automation, combination: chosen, list, metadata, days }), list };
}

type Subject = {
  automation: { id: string; name: string };
  combination: Pick<combination.Combination, 'id' | 'template_id' | 'language'>;
  list: list.StoredList;
  metadata: Metadata;
  days: number | undefined;
};

/** An email as a member would get it, with links that are not tracked. */
export function untracked(
  publicUrl: string,
  subject: Subject & { combination: combination.Combination },
): Rendered {
  const reader = untrackedReader(publicUrl, subject);
  const { combination, list } = subject;
  const wording = { language: reader.language, unsubscribeWord: list.unsubscribe_text };
  return fill(compose(combination.content, wording), reader);
}

/** Its subject alone. */
export const untrackedSubject = (
  publicUrl: string,
  subject: Subject & { combination: combination.Subject },
): string => fillSubject(subject.combination.subject, untrackedReader(publicUrl, subject));

function untrackedReader(
  publicUrl: string,
  { automation, combination: { id, template_id, language }, list, metadata, days }: Subject,
): Reader {
  const own = ownValues({ automation, combination: id, template: template_id, days });
  return {
    values: valuesFor(metadata, own),
    language: language ?? languageOf(list.unsubscribe_text),
    // It leads to the page of a link that is not valid: nobody is unsubscribed by a preview.
    unsubscribe: `${publicUrl}/t/u/preview`,
    tracked: url => url,
  };
}

const DAY = 24 * 60 * 60 * 1000;
const daysSince = (trigger: Date | undefined, now: Date): number | undefined =>
  trigger && Math.floor((now.getTime() - trigger.getTime()) / DAY);

/** A subscribed member of one of the automation's lists, whom the seed chooses. */
async function randomMember(
  { table }: { table: Table },
  { organization_id, email_list_ids }: StoredAutomation,
  seed: string,
): Promise<listMember.Found> {
  const first = seed.charCodeAt(0) % Math.max(1, email_list_ids.length);
  for (const id of [...email_list_ids.slice(first), ...email_list_ids.slice(0, first)]) {
    const of = await list.lookUp({ table }, organization_id, id);
    const found = of && (await listMember.subscribedNear({ table }, of, seed.slice(1, 3)));
    if (found) return found;
  }
  throw new Refusal(
    'conflict',
    'None of the connected lists has a subscribed member. Add one to see an email as they would.',
  );
}
