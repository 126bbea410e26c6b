import { createHash } from 'node:crypto';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import { earliestDay, triggerOf } from '#core/automation/due/occurrences.ts';
import * as combinations from '#core/content/combination.ts';
import { designOf, designWith, readVersion } from '#core/content/look.ts';
import { newId } from '#core/id.ts';
import { listNotFound } from '#core/list/counts.ts';
import { verifiedOf } from '#core/list/identity.store.ts';
import * as listStore from '#core/list/list.store.ts';
import * as lists from '#core/list/list.ts';
import type * as sample from '#core/list/list-member/list-member.store.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { lackOf, providerNow } from '#core/list/providers.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import type { Mailer } from '#core/mail.ts';
import type * as organizations from '#core/organization/organization.store.ts';
import { inParallel } from '#core/parallel.ts';
import type { Providers } from '#core/provider.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { MOST_PREVIEW_MEMBERS, type Preview, type PreviewMember } from '#shared/automation.ts';
import {
  compose,
  fillSubject,
  type Rendered,
  rendered,
  type WrittenEmail,
  write,
} from '#shared/email/email.ts';
import type { Reader } from '#shared/email/encode.ts';
import type { Design } from '#shared/email/layout.ts';
import { ownValues, SAMPLE, valuesFor } from '#shared/email/own-values.ts';
import { OBSTACLES } from '#shared/explanation.ts';
import { changed, type Metadata, type MetadataValue } from '#shared/metadata.ts';
import { needsKey, providerOf } from '#shared/providers.ts';
import type { DraftTest } from '#shared/test-email.ts';
import { DAY } from '#shared/time.ts';
import { languageOf, unsubscribeWordIn } from '#shared/unsubscribe-words.ts';
import * as stops from './stop.ts';

type Needs = {
  table: Table;
  now: Date;
  publicUrl: string;
  /** Whose look its lists inherit. */
  organization: Pick<organizations.StoredOrganization, 'look'>;
};

export const newSeed = () => newId(16);

type Previewed = { written: WrittenEmail; list: lists.CountedList };

/** If the automation has templates, one of them is chosen, unless `useTemplates` is false. */
type Choosing = {
  seed: string;
  useTemplates?: boolean | undefined;
  /** The id of the list member for whom the preview is, instead of a random one. */
  member?: string | undefined;
};

/** As one of its members would get it, with links that are not tracked. */
export async function preview(
  needs: Needs,
  automation: StoredAutomation,
  choosing: Choosing,
): Promise<Preview> {
  const { written, list } = await render(needs, automation, choosing);
  const { seed } = choosing;
  const { html, text } = shownEmail(written);
  return { html, plaintext: text, sender: senderOf(list), seed };
}

// A response of Lambda has at most 6 MB, and holds the body as a JSON string within JSON.
const MOST_SHOWN_BYTES = 6_000_000;

/** Throws an error if it is larger than a response can be. */
export function shownEmail(written: WrittenEmail): Rendered {
  const email = rendered(written);
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(email))) <= MOST_SHOWN_BYTES) return email;
  throw new Refusal(
    'conflict',
    'With these values the email is too large to be shown. Use fewer placeholders, or shorter values.',
  );
}

const senderOf = ({ sender_name, sender_address, name }: lists.CountedList) => ({
  name: sender_name,
  email: sender_address,
  list_name: name,
});

type Posts = { vault: Pick<sendingKey.Vault, 'open'>; providers: Providers };
type Test = { list: lists.CountedList; written: WrittenEmail; to: string };

export async function sendTest(
  needs: Needs & Posts,
  automation: StoredAutomation,
  { to, ...choosing }: Choosing & { to: string },
): Promise<void> {
  const { list, written } = await render(needs, automation, choosing);
  await requireSending(needs.table, automation.organization_id);
  await postTest(needs, { list: await verifiedOf(needs.table, list), written, to });
}

const MARK = '[Test] ';

/** It is marked as a test and counted nowhere. */
async function postTest(needs: Needs & Posts, { list, written, to }: Test): Promise<void> {
  const used = providerNow(list, needs.now);
  const provider = 'provider' in used ? used.provider : providerOf(list);
  if (!needsKey(provider) && !list.is_verified) {
    throw new Refusal(
      'conflict',
      `The domain ${list.domain} is not verified yet: see the page of ${list.name}.`,
    );
  }
  const access = await sendingKey.accessOf(needs, list, provider);
  const subject = { ...written.subject, section: [MARK, ...written.subject.section] };
  const headers = { 'X-Letterflow-Test': 'true' };
  const email = { ...written, subject, to, from: lists.fromHeader(list), headers };
  const [outcome] = await needs.providers[provider].post(access, [email], async () => true);
  if (outcome?.kind === 'accepted') return;
  throw new Refusal('conflict', TEST_FAILURES[outcome?.kind ?? 'unknown']);
}

/**
 * Sends a test of content that is not stored. `to` is the address of the signed-in user: without a list that can send, the product's
 * own sender sends it, which must write to nobody else.
 */
export async function sendDraftTest(
  needs: Omit<Needs, 'organization'> & Posts & { organization: Organization; mailer: Mailer | undefined },
  { email_list_id, member, metadata, language_code: language, ...content }: DraftTest,
  to: string,
): Promise<void> {
  const { table, publicUrl, organization, mailer } = needs;
  const { list, membership } = await audienceOf(table, organization.id, email_list_id, member);
  await requireSending(table, organization.id);
  const own = ownValues({ ...SAMPLE, email: membership?.email ?? to });
  const look = await readVersion(table, organization.id, organization.look);
  const written = untracked(publicUrl, {
    combination: { content, language },
    unsubscribeText: list?.unsubscribe_text ?? unsubscribeWordIn(language),
    values: valuesFor(changed(membership?.metadata ?? {}, metadata), own),
    design: list
      ? await designOf(needs, list, organization)
      : look && designWith(publicUrl, look, undefined, organization.name),
  });
  if (list && !lackOf(list)) return postTest(needs, { list, written, to });
  if (!mailer) throw new Refusal('conflict', NO_SENDER);
  const { subject, html, text } = shownEmail(written);
  await mailer.send(to, { subject: `${MARK}${subject}`, html, text });
}

type Organization = Pick<organizations.StoredOrganization, 'id' | 'name' | 'look'>;

const NO_SENDER =
  'No emails are sent from here without a list. Choose a list that can send: one with a sending key, or a verified domain.';

async function audienceOf(
  table: Table,
  organization: number,
  listId: string | null | undefined,
  memberId: string | undefined,
) {
  if (memberId !== undefined) {
    const { list, state } = await listMember.find({ table }, organization, memberId);
    if (listId && listId !== list.id) throw listMember.notFound();
    return { list: await verifiedOf(table, list), membership: state.membership };
  }
  const list = listId ? await lists.lookUp({ table }, organization, listId) : undefined;
  if (listId && !list) throw listNotFound();
  return { list: list && (await verifiedOf(table, list)), membership: undefined };
}

async function requireSending(table: Table, organization: number): Promise<void> {
  const all = await Promise.all([stops.status({ table }), stops.status({ table, organization })]);
  if (all.some(({ stopped_since }) => stopped_since !== undefined)) {
    throw new Refusal('conflict', `${OBSTACLES.stopped}.`);
  }
}

const REFUSED =
  'The mail provider did not accept the test email. Check how the list sends on its page: its sending key or its domain.';
const TEST_FAILURES = {
  refused: REFUSED,
  not_sent: REFUSED,
  unknown: 'The mail provider gave no clear answer, so the test email may or may not arrive.',
};

async function render(needs: Needs, automation: StoredAutomation, choosing: Choosing): Promise<Previewed> {
  const { table, now, publicUrl } = needs;
  const organization = automation.organization_id;
  const chosen = await combinations.choose({ table }, organization, automation.id, choosing);
  if (!chosen) {
    throw new Refusal(
      'conflict',
      'Failed to generate email preview. Please make sure you have at least one active template.',
    );
  }
  const { list, state } = choosing.member
    ? await memberOf({ table }, automation, choosing.member)
    : await randomMember({ table }, automation, choosing.seed);
  const { metadata, email } = state.membership;
  const days = daysSince(triggerOf(state.membership, automation), automation, now);
  const values = memberValues({ automation, combination: chosen, metadata, days, email });
  const design = await designOf(needs, list, needs.organization);
  const subject = { combination: chosen, unsubscribeText: list.unsubscribe_text, values, design };
  return { written: untracked(publicUrl, subject), list };
}

type Member = {
  automation: { id: string; name: string };
  combination: Pick<combinations.Combination, 'id' | 'template_id'>;
  metadata: Metadata;
  days: number | undefined;
  /** The id of the email, unless it is a preview. */
  send?: string;
  email: string;
};

export const memberValues = ({
  automation,
  combination: { id, template_id },
  metadata,
  days,
  send = SAMPLE.send,
  email,
}: Member): Values =>
  valuesFor(metadata, ownValues({ automation, combination: id, template: template_id, days, send, email }));

type Values = ReadonlyMap<string, MetadataValue>;
type Subject = {
  combination: Pick<combinations.Combination, 'language'>;
  unsubscribeText: string;
  values: Values;
};

/** As a member gets it, with links that are not tracked. */
export function untracked(
  publicUrl: string,
  subject: Subject & {
    combination: Pick<combinations.Combination, 'language' | 'content'>;
    design: Design | undefined;
  },
): WrittenEmail {
  const reader = untrackedReader(publicUrl, subject);
  const { combination, unsubscribeText: unsubscribeWord, design } = subject;
  const { language } = reader;
  return write(compose(combination.content, { language, unsubscribeWord, design }), reader);
}

/** No link can be followed in a subject line. */
export const untrackedSubject = (subject: Subject & { combination: combinations.Subject }): string =>
  fillSubject(subject.combination.subject, untrackedReader('', subject));

const untrackedReader = (
  publicUrl: string,
  { combination: { language }, unsubscribeText, values }: Subject,
): Reader => ({
  values,
  language: language ?? languageOf(unsubscribeText),
  // Leads to the page for invalid links, so that a preview unsubscribes nobody.
  unsubscribe: `${publicUrl}/t/u/preview`,
  files: publicUrl,
  tracked: url => url,
});

const daysSince = (trigger: Date | undefined, automation: StoredAutomation, now: Date): number | undefined =>
  trigger && Math.max(earliestDay(automation), Math.floor((now.getTime() - trigger.getTime()) / DAY));

/** Subscribed or not. Anyone else is not found. */
async function memberOf(
  { table }: { table: Table },
  { organization_id, email_list_ids }: StoredAutomation,
  id: string,
): Promise<listMember.MemberWithList> {
  const found = await listMember.find({ table }, organization_id, id);
  if (email_list_ids.includes(found.list.id)) return found;
  throw listMember.notFound();
}

export async function membersFor(
  { table }: { table: Table },
  { organization_id, email_list_ids }: StoredAutomation,
  search = '',
): Promise<PreviewMember[]> {
  const lists = await listStore.readThese(table, organization_id, email_list_ids);
  const prefix = search.trim().toLowerCase();
  const found = await inParallel(lists, MOST_AT_ONCE, list =>
    listMember.firstWith({ table }, list, prefix, MOST_PREVIEW_MEMBERS),
  );
  return found
    .flat()
    .sort((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : a.list_name < b.list_name ? -1 : 1))
    .slice(0, MOST_PREVIEW_MEMBERS);
}

const MOST_AT_ONCE = 10;

async function randomMember(
  { table }: { table: Table },
  { organization_id, email_list_ids }: StoredAutomation,
  seed: string,
): Promise<listMember.MemberWithList> {
  const randomInt = randomIntFrom(seed);
  const lists = await listStore.readCounted(table, organization_id, email_list_ids);
  // Every subscribed member has the same chance, in whichever list.
  let left = randomInt(Math.max(1, sum(lists.map(({ counts }) => counts.subscribed))));
  const first = lists.findIndex(({ counts }) => {
    left -= counts.subscribed;
    return left < 0;
  });
  for (const list of [...lists.slice(first), ...lists.slice(0, first)]) {
    const found = await listMember.anySubscribed({ table }, list, randomInt);
    if (found) return found;
  }
  throw new Refusal(
    'conflict',
    'None of the connected lists has a subscribed member. Add one to see an email as they would.',
  );
}

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);

function randomIntFrom(seed: string): sample.RandomInt {
  let drawn = 0;
  return most => createHash('sha256').update(`${seed}#${drawn++}`).digest().readUInt32BE() % most;
}
