import * as automations from '#core/automation/automation.store.ts';
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
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import { type ListMemberAction, MOST_ACTIONS } from '#shared/list-member.ts';
import type { EmailSendContent } from '#shared/send.ts';
import { DELETED, UNSENT } from '#shared/send-status.ts';

type Needs = { table: Table; now: Date };

/** Newest first, back to when they were added. */
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
      importIds.flatMap(imported => (imported ? [{ list_id, id: imported }] : [])),
    ),
  ]);
  const all = journalActions({ id, hash: member.key.hash }, entries, {
    emails,
    clicks: clicks.clicks,
    imports,
  });
  if (complete && clicks.complete) {
    all.push(firstAction(id, membership, entries, imports.get(added_by?.import ?? '')));
  }
  return all.slice(0, MOST_ACTIONS);
}

/** The list of the member, and the claim of the email. */
export function keysOf(organization: number, id: string): Key[] {
  const named = readActionId(id);
  const hash = named && recipientKey.readMemberId(named.member)?.hash;
  if (!named || hash === undefined) return [];
  return [
    ...listMember.keysOf(organization, named.member),
    journal.entryKey({ organization, hash }, named.seq),
  ];
}

/** The email that the id of an action names. */
export async function foundEmail(
  { table }: { table: Table },
  id: string,
  items: Item[],
): Promise<contentStore.FoundEmail> {
  const named = readActionId(id);
  if (!named) throw emailNotFound();
  const { list, key } = await listMember.found({ table }, named.member, items);
  const claim = items.map(journal.claimIn).find(entry => entry !== undefined);
  if (claim?.list_id !== list.id || claim.released) throw emailNotFound();
  return { key, claim };
}

/** Refused if it was not sent. */
export async function emailContent(
  needs: Needs & contentStore.Needs,
  found: contentStore.FoundEmail,
): Promise<EmailSendContent> {
  const [sent] = await sentOf(needs, found.key, [found.claim]);
  if (!sent) throw emailNotFound();
  return contentStore.content(needs, found);
}

const emailNotFound = () => new Refusal('not-found', 'Email not found');

/** Emails whose claims have no values are rendered with these. */
type ListsAndMemberships = {
  lists: Pick<listStore.StoredList, 'id' | 'unsubscribe_text'>[];
  memberships: membershipStore.Membership[];
};

/** Those that were sent, or may have been, by the numbers of the claims. */
export async function emailsOf(
  needs: Needs,
  key: recipientKey.RecipientKey,
  claims: journal.Claim[],
  { lists, memberships }: ListsAndMemberships,
): Promise<Map<number, Email>> {
  const { table } = needs;
  const sent = await sentOf(needs, key, claims);
  const distinct = (idOf: (email: Sent) => string) => [...new Set(sent.map(idOf))];
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
      const automation = foundAutomations.find(({ id }) => id === claim.automation_id);
      const { trigger, subject } = contentStore.subjectOf({
        claim,
        chosen: subjects.get(claim.combination),
        automation,
        membership: memberships.find(({ list_id }) => list_id === claim.list_id),
        list: lists.find(({ id }) => id === claim.list_id),
      });
      const email: Email = { ...outcome, automation_name: automation?.name ?? DELETED };
      if (subject !== undefined) email.subject = subject;
      if (trigger) email.trigger_metadata = trigger;
      return [claim.seq, email];
    }),
  );
}

type Sent = Pick<Email, 'at' | 'status'> & { claim: journal.Claim };

/** Without failed ones, and those that are not posted yet. */
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

export type Email = {
  at: string;
  status: 'sent' | 'unknown';
  /** Undefined where its content cannot be found any more. */
  subject?: string;
  automation_name: string;
  /** The date that made it due: as its claim has it, else as the member has it now. */
  trigger_metadata?: string;
};

type Journal = (journal.Entry | journal.Claim)[];

const ID = /^(.+)-([1-9]\d{0,8})$/;

/** What happened to an email has this id with a suffix. */
const actionId = (member: string, seq: number) => `${member}-${seq}`;

/** Undefined if the id is not one of an entry. */
function readActionId(id: string): { member: string; seq: number } | undefined {
  const [, member, seq] = ID.exec(id) ?? [];
  return member === undefined ? undefined : { member, seq: Number(seq) };
}

type JournalDetails = { emails: Map<number, Email>; clicks: journal.Clicked[]; imports: Map<string, string> };

/** Newest first. */
function journalActions(
  { id: member, hash }: { id: string; hash: string },
  journal: Journal,
  { emails, clicks, imports }: JournalDetails,
): ListMemberAction[] {
  const clicksOf = Map.groupBy(clicks, ({ seq }) => seq);
  return journal
    .flatMap(entry => {
      const { seq } = entry;
      if (entry.type !== 'send') return actionOf(member, entry, emails, imports);
      const email = emails.get(seq);
      const send = recipientKey.claimId({ hash, seq });
      return email ? actionsOf(actionId(member, seq), send, entry, email, clicksOf.get(seq) ?? []) : [];
    })
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}

const ENTRIES: Partial<Record<journal.Entry['type'], ListMemberAction['type']>> = {
  subscribed: 'subscribe',
  unsubscribed: 'unsubscribe',
  complained: 'complaint',
  bounced: 'bounce',
  imported: 'import',
};

function actionOf(
  member: string,
  { seq, type, at, by, email: from, import: imported = '' }: journal.Entry,
  emails: Map<number, Email>,
  imports: Map<string, string>,
): ListMemberAction[] {
  const email = from === undefined ? undefined : emails.get(from);
  const shown = ENTRIES[type];
  const isSuppression = shown === 'complaint' || shown === 'bounce';
  // If the email is shown, so is its bounce or complaint, from its marks.
  if (!shown || (isSuppression && email)) return [];
  // An import suppresses without an email, so it is the source itself.
  const source = isSuppression && by !== 'import' ? shown : by;
  return [
    action(
      actionId(member, seq),
      shown,
      at,
      { source, email: email && from !== undefined ? actionId(member, from) : undefined },
      {
        source: imports.get(imported) ?? (source && SOURCES[source]),
        subject: email?.subject,
        automation_name: email?.automation_name,
      },
    ),
  ];
}

const SOURCES: Record<journal.Source, string> = {
  app: 'Changed in the app',
  api: 'Changed by the API',
  import: 'Changed by an import',
  page: 'Unsubscribe link',
  one_click: 'Unsubscribe button of the mail program',
  provider: 'Reported by the mail provider',
  complaint: 'Reported as spam',
  bounce: 'Bounced',
};
const BY = { person: 'A person', machine: 'Automated (mail scanner or prefetch)' };
const BOUNCES = { hard: 'Permanent failure', soft: 'Temporary failure, given up' };

/** Of two actions at the same moment, the later one comes first. */
function actionsOf(
  id: string,
  email_send_id: string,
  claim: journal.Claim,
  { at, status, trigger_metadata, ...email }: Email,
  clicks: journal.Clicked[],
): ListMemberAction[] {
  const { bounce = 'soft', bounce_reason: reason, automation_id, combination } = claim;
  const then = (
    as: string,
    type: ListMemberAction['type'],
    then_at: string | undefined,
    about: About,
    formatted: About,
  ) =>
    then_at
      ? [action(`${id}-${as}`, type, then_at, { ...about, email: id }, { ...formatted, ...email })]
      : [];
  const opened = (by: keyof typeof BY, opened_at: string | undefined) =>
    then(`open-${by}`, 'open', opened_at, { source: by }, { source: BY[by] });
  const bounced = [BOUNCES[bounce], reason].filter(Boolean).join(': ');
  return [
    ...then(
      'complaint',
      'complaint',
      claim.complained_at,
      { source: 'provider' },
      { source: SOURCES.complaint },
    ),
    ...then(
      'bounce',
      'bounce',
      claim.bounced_at,
      { source: 'provider', bounce, reason },
      { source: bounced },
    ),
    ...clicks.flatMap(({ link, at: clicked_at, url: destination_url, part: asset_type, by }) => {
      const to = { asset_type, destination_url };
      const formatted = { source: BY[by], ...to, url: destination_url };
      return then(`click-${by}-${link}`, 'click', clicked_at, { source: by, ...to }, formatted);
    }),
    ...opened('person', claim.opened_at),
    ...opened('machine', claim.machine_opened_at),
    action(
      id,
      'email_sent',
      at,
      { status, email_send_id, automation_id, combination_id: combination },
      { source: sentBy(claim, status), trigger_metadata, ...email },
    ),
  ];
}

const sentBy = ({ resent_by }: journal.Claim, status: Email['status']) =>
  status === 'unknown' ? UNSENT.no_answer : resent_by ? 'Sent again by a user' : 'Automation';

/** It has no entry in the journal: the member was added, as subscribed or not. */
function firstAction(
  member: string,
  { status, created_at, by }: membershipStore.Membership,
  journal: Journal,
  imported?: string,
): ListMemberAction {
  const first = journal.findLast(({ type }) => BEGAN[type] !== undefined);
  const isSuppressed = by === 'complaint' || by === 'bounce';
  const began = (first && BEGAN[first.type]) ?? (isSuppressed ? 'subscribed' : status);
  const [type, source] =
    began === 'subscribed'
      ? (['subscribe', 'Added'] as const)
      : (['unsubscribe', 'Added as unsubscribed'] as const);
  const text = imported && (began === 'subscribed' ? imported : `${imported}, as unsubscribed`);
  return action(`${member}-0`, type, created_at, { source: 'added' }, { source: text ?? source });
}

/** Before their first entry of these types: a send tells that they were subscribed. */
const BEGAN: { [type: string]: membershipStore.Membership['status'] } = {
  send: 'subscribed',
  unsubscribed: 'subscribed',
  subscribed: 'unsubscribed',
};

type About = Record<string, string | undefined>;

const action = (
  id: string,
  type: ListMemberAction['type'],
  created_at: string,
  metadata: About,
  formatted_metadata: About,
): ListMemberAction => ({
  id,
  type,
  created_at,
  metadata: known(metadata),
  formatted_metadata: known(formatted_metadata),
});

const known = (about: About) => JSON.parse(JSON.stringify(about)) as Record<string, string>;
