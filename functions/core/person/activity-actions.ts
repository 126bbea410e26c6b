import type * as click from '#core/recipient/journal.ts';
import type * as memberships from '#core/recipient/membership.ts';
import type { ListMemberAction } from '#shared/list-member.ts';
import { UNSENT } from '#shared/send-status.ts';

/** What is said of an email that was sent, or may have been. */
export type Email = {
  at: string;
  status: 'sent' | 'unknown';
  /** Undefined where its content cannot be found any more. */
  subject?: string;
  automation_name: string;
  /** The date that made it due: as its claim has it, else as the member has it now. */
  trigger_metadata?: string;
};

type Journal = (click.Entry | click.Claim)[];

const ID = /^(.+)-([1-9]\d{0,8})$/;

/** The id of the action of a journal entry. What happened to an email has this id with a suffix. */
const actionId = (member: string, seq: number) => `${member}-${seq}`;

/** The member and the number of the entry; undefined if the id is not one of an entry. */
export function readActionId(id: string): { member: string; seq: number } | undefined {
  const [, member, seq] = ID.exec(id) ?? [];
  return member === undefined ? undefined : { member, seq: Number(seq) };
}

const SOURCES: Record<click.Source, string> = {
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

type Known = {
  /** The emails that were sent, by number, and the clicks in them. */
  emails: Map<number, Email>;
  clicks: click.Clicked[];
  /** The descriptions of imports, by id. */
  imports: Map<string, string>;
};

/** The actions to which the entries of a member's journal lead, newest first. */
export function journalActions(
  member: string,
  journal: Journal,
  { emails, clicks, imports }: Known,
): ListMemberAction[] {
  const clicksOf = Map.groupBy(clicks, ({ seq }) => seq);
  return journal
    .flatMap(entry => {
      const { seq } = entry;
      if (entry.type !== 'send') return actionOf(member, entry, emails, imports);
      const email = emails.get(seq);
      return email ? actionsOf(actionId(member, seq), entry, email, clicksOf.get(seq) ?? []) : [];
    })
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}

const ENTRIES: Partial<Record<click.Entry['type'], ListMemberAction['type']>> = {
  subscribed: 'subscribe',
  unsubscribed: 'unsubscribe',
  complained: 'complaint',
  bounced: 'bounce',
  imported: 'import',
};

function actionOf(
  member: string,
  { seq, type, at, by, email: from, import: imported = '' }: click.Entry,
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

/** An email and what happened to it. Of two actions at the same moment, the later one comes first. */
function actionsOf(
  id: string,
  claim: click.Claim,
  { at, status, trigger_metadata, ...of }: Email,
  clicks: click.Clicked[],
): ListMemberAction[] {
  const { bounce = 'soft', bounce_reason: reason, automation_id, combination } = claim;
  const then = (
    as: string,
    type: ListMemberAction['type'],
    then_at: string | undefined,
    metadata: About,
    formatted: About,
  ) =>
    then_at
      ? [action(`${id}-${as}`, type, then_at, { ...metadata, email: id }, { ...formatted, ...of })]
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
      return then(
        `click-${by}-${link}`,
        'click',
        clicked_at,
        { source: by, ...to },
        { source: BY[by], ...to, url: destination_url },
      );
    }),
    ...opened('person', claim.opened_at),
    ...opened('machine', claim.machine_opened_at),
    action(
      id,
      'email_sent',
      at,
      { status, automation_id, combination_id: combination },
      { source: sentBy(claim, status), trigger_metadata, ...of },
    ),
  ];
}

const sentBy = ({ resent_by }: click.Claim, status: Email['status']) =>
  status === 'unknown' ? UNSENT.no_answer : resent_by ? 'Sent again by a user' : 'Automation';

/** The first action, which has no entry in the journal: the member was added, as subscribed or not. */
export function firstAction(
  member: string,
  { status, created_at, by }: memberships.Membership,
  journal: Journal,
  /** How an import added them, if one did. */
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

/** The status of a member before their first entry of these types: a send tells that they were subscribed. */
const BEGAN: { [type: string]: memberships.Membership['status'] } = {
  send: 'subscribed',
  unsubscribed: 'subscribed',
  subscribed: 'unsubscribed',
};
