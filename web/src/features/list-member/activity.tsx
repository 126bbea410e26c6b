import { Badge, Box, Flex } from '@chakra-ui/react';
import {
  FileUp,
  Flag,
  type LucideIcon,
  MailCheck,
  MailMinus,
  MailOpen,
  MailX,
  MousePointerClick,
  UserMinus,
  UserPlus,
} from 'lucide-react';
import { Fragment } from 'react';
import { PARTS } from '#shared/email/content.ts';
import type { ListMember } from '#shared/list-member.ts';
import type { Answer } from '#shared/routes.ts';
import type { EmailSend } from '#shared/send.ts';
import { MINUTE } from '#shared/time.ts';
import { ButtonLink, TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { useDrawer } from '#web/components/use-dialog.ts';
import { usePages } from '#web/components/use-table-view.ts';
import { notesOf } from '#web/entities/email/send-texts.ts';
import { explanationOf } from '#web/entities/list-member/explanation-of.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatUtcDay, formatUtcMoment, formatUtcTime, IN_UTC } from '#web/lib/format.ts';
import { NO_AUTOMATION } from '#web/lib/paths.ts';

const EmailDrawer = onDemand(() => import('#web/entities/email/email-drawer.tsx'));
const Explanations = onDemand(() => import('./explanations.tsx'));

type MemberAction = Answer<'GET /api/list-member-actions'>[number];

type Entry = {
  id: string;
  at: string;
  look: Look;
  isMachine?: boolean;
  first: string | undefined;
  more: string[];
  /** The email that it opens, and the name of the link. */
  email?: { id: string; link: string } | undefined;
};

const columnsOf = (linkTo: ReturnType<typeof useDrawer>['linkTo']): Column<Entry>[] => [
  { header: 'Activity', width: 'minmax(0, 2fr)', cell: ActivityName },
  { header: 'Details', collapse: 'value', width: 'minmax(0, 4fr)', cell: ActivityDetails },
  {
    header: 'Time',
    collapse: 'value',
    width: '72px',
    cell: ({ at }) => <time dateTime={at}>{formatUtcTime(at)}</time>,
  },
  {
    header: 'Email',
    width: '64px',
    corner: true,
    cell: ({ email }) =>
      email && (
        <TextLink aria-label={email.link} pe="2" {...linkTo(email.id)}>
          View
        </TextLink>
      ),
  },
];

const PER_PAGE = 25;

type Props = {
  member: string;
  /** Undefined while they are loading. */
  of: Pick<ListMember, 'email' | 'email_list' | 'created_at'> | undefined;
};

/** All that happened with a member, with the emails that were skipped or failed. */
export function Activity({ member, of }: Props) {
  const { entries, unsent, count, problem, retry } = useEntries(member, of);
  const pages = usePages(entries, PER_PAGE);
  const viewed = useDrawer('email');
  const why = useDrawer('automation');
  return (
    <Section
      title="Activity"
      note={IN_UTC}
      hidden={!of}
      actions={<ButtonLink {...why.linkTo(NO_AUTOMATION)}>Why was it sent, or not?</ButtonLink>}
    >
      <DataTable
        label="Activity"
        columns={columnsOf(viewed.linkTo)}
        {...pages}
        rowKey={({ id }) => id}
        groupOf={({ at }) => formatUtcDay(at)}
        pressable
        problem={problem}
        failure="The activity could not be loaded."
        onRetry={retry}
        expected={8}
        count={count}
        empty={
          <EmptyState title="No activity yet" cause="Emails sent to them, opens and clicks are shown here." />
        }
      />
      {viewed.shown && entries && (
        <EmailDrawer
          id={viewed.shown}
          known={unsent.find(({ id }) => id === viewed.shown)}
          explain={explanationOf}
          onClose={viewed.close}
        />
      )}
      {why.shown && of && <Explanations member={member} asked={why.shown} onClose={why.close} />}
    </Section>
  );
}

const MOST_UNSENT = 100;

function useUnsent(status: 'skipped' | 'failed', of: Props['of']) {
  const { email: recipient = '', email_list: list, created_at: from = '' } = of ?? {};
  const query = { status, recipient, list: list?.id ?? '', from: from.slice(0, 10), per_page: MOST_UNSENT };
  return useOrganizationData(of && 'GET /api/email-sends', { query }, { revalidateOnFocus: false });
}

function useEntries(member: string, of: Props['of']) {
  const sent = useOrganizationData('GET /api/list-member-actions', { query: { list_member_id: member } });
  const skipped = useUnsent('skipped', of);
  const failed = useUnsent('failed', of);
  const all = [sent, skipped, failed];
  const actions = sent.data;
  const oldest = actions?.at(-1);
  // Emails from before the member was added belong to an earlier membership. One is due at the beginning of its minute.
  const since = oldest ? Date.parse(oldest.created_at) - MINUTE : 0;
  const unsent = [skipped, failed]
    .flatMap(({ data }) => data?.data ?? [])
    .filter(({ sent_at }) => Date.parse(sent_at) >= since);
  const isLoaded = actions && skipped.data && failed.data;
  const entries = isLoaded
    ? [...actions.map(action => entryOf(action, actions)), ...unsent.map(unsentEntry)].sort(
        (a, b) => Date.parse(b.at) - Date.parse(a.at),
      )
    : undefined;
  // The last action tells how the member was added. If it is missing, there are more actions than a response can hold.
  const isCut = oldest?.metadata.source !== 'added' || [skipped, failed].some(({ data }) => data?.meta.next);
  const count = countText(entries?.length, 'entry', 'entries');
  return {
    entries,
    unsent,
    count: count && isCut ? `The newest ${count}. Older ones are not shown.` : count,
    problem: all.find(({ error }) => error)?.error,
    retry: () => void Promise.all(all.map(({ mutate }) => mutate())),
  };
}

type Look = { label: string; icon: LucideIcon; color?: string };

const LOOKS: Record<MemberAction['type'], Look> = {
  subscribe: { label: 'Subscribed', icon: UserPlus },
  unsubscribe: { label: 'Unsubscribed', icon: UserMinus },
  open: { label: 'Opened', icon: MailOpen },
  click: { label: 'Clicked', icon: MousePointerClick },
  bounce: { label: 'Bounced', icon: MailX, color: 'fg.error' },
  complaint: { label: 'Complained', icon: Flag, color: 'fg.error' },
  email_sent: { label: 'Email sent', icon: MailCheck },
  import: { label: 'Imported', icon: FileUp },
};
const UNKNOWN: Look = { label: 'Email, perhaps sent', icon: MailCheck, color: 'fg.warning' };

const FAILED: Look = { label: 'Email failed', icon: MailX, color: 'fg.error' };
const SKIPPED: Look = { label: 'Email skipped', icon: MailMinus, color: 'fg.muted' };

function ActivityName({ look: { label, icon: Icon, color }, isMachine }: Entry) {
  return (
    <Flex
      as="span"
      inline
      align="flex-start"
      gap="2"
      color={isMachine ? 'fg.muted' : color}
      css={{ '& svg': { flexShrink: 0, width: '16px', height: '20px' } }}
    >
      <Icon aria-hidden />
      <span>{label}</span>
      {isMachine && <Badge>Automated</Badge>}
    </Flex>
  );
}

const nameOfPart = (part: string | undefined) =>
  Object.entries(PARTS).find(([known]) => known === part)?.[1] ?? part;

/** The source of most emails. It is not shown, as the name of the automation is. */
const AUTOMATION = 'Automation';

function entryOf({ id, type, created_at, metadata, formatted_metadata }: MemberAction, all: MemberAction[]) {
  const { subject, automation_name, asset_type, destination_url, source, trigger_metadata } =
    formatted_metadata;
  const isEmail = type === 'email_sent';
  const isMachine = metadata.source === 'machine';
  const then = all.filter(({ metadata: about }) => about.email === id && about.source !== 'machine');
  const facts = isEmail
    ? [
        subject ?? 'Its content cannot be found any more',
        ...then.map(({ type }) => LOOKS[type].label).toReversed(),
        automation_name && `Automation ${automation_name}`,
        trigger_metadata && `Trigger ${formatUtcMoment(trigger_metadata, '')}`,
        source !== AUTOMATION && source,
      ]
    : [
        destination_url,
        destination_url && nameOfPart(asset_type),
        // Why it bounced matters more than which email it was; of an opened one, nothing but which.
        ...(type === 'open' ? [subject, source] : [source, subject]),
      ];
  const [first, ...more] = facts.filter(text => typeof text === 'string' && text !== '') as string[];
  return {
    id,
    at: created_at,
    look: metadata.status === 'unknown' ? UNKNOWN : LOOKS[type],
    isMachine,
    first,
    more,
    email: isEmail
      ? { id: metadata.email_send_id ?? '', link: ['View email', subject].filter(Boolean).join(': ') }
      : undefined,
  };
}

function unsentEntry(send: EmailSend): Entry {
  const { id, status, sent_at, automation_name, subject } = send;
  const isSkipped = status === 'skipped';
  const why = notesOf(send);
  return {
    id,
    at: sent_at,
    look: isSkipped ? SKIPPED : FAILED,
    first: isSkipped ? why : (subject ?? why),
    more: [`Automation ${automation_name}`, ...(isSkipped ? [] : [why])],
    email: { id, link: `View ${isSkipped ? 'skipped' : 'failed'} email: ${why}` },
  };
}

function ActivityDetails({ first, more }: Entry) {
  return (
    <Box overflowWrap="anywhere">
      <Box color="fg">
        <bdi>{first}</bdi>
      </Box>
      {more.length > 0 && (
        <Box color="fg.muted" fontSize="xs" lineHeight="18px">
          {[...new Set(more)].map((text, index) => (
            <Fragment key={text}>
              {index > 0 && ' · '}
              <bdi>{text}</bdi>
            </Fragment>
          ))}
        </Box>
      )}
    </Box>
  );
}
