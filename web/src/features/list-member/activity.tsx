import { Badge, Box, Flex } from '@chakra-ui/react';
import {
  FileUp,
  Flag,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MailX,
  MousePointerClick,
  UserMinus,
  UserPlus,
} from 'lucide-react';
import { Fragment } from 'react';
import { PARTS } from '#shared/email/content.ts';
import type { Answer } from '#shared/routes.ts';
import { TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { useDrawer } from '#web/components/use-dialog.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatDate, formatMoment, formatRelative } from '#web/lib/format.ts';

const EmailDrawer = onDemand(() => import('#web/entities/email/email-drawer.tsx'));

type MemberAction = Answer<'GET /api/list-member-actions'>[number];

const columnsOf = (linkTo: ReturnType<typeof useDrawer>['linkTo']): Column<MemberAction>[] => [
  {
    key: 'type',
    header: 'Activity',
    width: 'minmax(0, 2fr)',
    cell: action => <ActivityName action={action} />,
  },
  {
    key: 'details',
    header: 'Details',
    collapse: 'value',
    width: 'minmax(0, 5fr)',
    cell: action => <ActivityDetails action={action} />,
  },
  { key: 'created_at', header: 'Time', width: '172px', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    key: 'email',
    header: 'Email',
    width: '80px',
    cell: action =>
      action.type === 'email_sent' && (
        <TextLink
          aria-label={['View email', action.formatted_metadata.subject].filter(Boolean).join(': ')}
          {...linkTo(action.metadata.email_send_id ?? '')}
        >
          View
        </TextLink>
      ),
  },
];

type Props = {
  member: string;
  /** The part above is still loading, and would move this one. */
  hidden: boolean;
};

export function Activity({ member, hidden }: Props) {
  const { data, error, mutate } = useOrganizationData('GET /api/list-member-actions', {
    query: { list_member_id: member },
  });
  const viewed = useDrawer('email');
  return (
    <Section title="Activity" hidden={hidden}>
      <DataTable
        label="Activity"
        columns={columnsOf(viewed.linkTo)}
        rows={data}
        rowKey={({ id }) => id}
        problem={error}
        failure="The activity could not be loaded."
        onRetry={mutate}
        expected={1}
        count={countOf(data)}
        empty={
          <EmptyState title="No activity yet" cause="Emails sent to them, opens and clicks are shown here." />
        }
      />
      {viewed.shown && (
        <EmailDrawer id={viewed.shown} known={undefined} explain={() => null} onClose={viewed.close} />
      )}
    </Section>
  );
}

/** The last action tells how the member was added. If it is missing, there are more actions than a response can hold. */
function countOf(actions: MemberAction[] | undefined): string | undefined {
  const count = countText(actions?.length, 'entry', 'entries');
  const isAll = actions?.at(-1)?.metadata.source === 'added';
  return count && !isAll ? `The newest ${count}. Older ones are not shown.` : count;
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

const lookOf = ({ type, metadata }: MemberAction) => (metadata.status === 'unknown' ? UNKNOWN : LOOKS[type]);

function ActivityName({ action }: { action: MemberAction }) {
  const { label, icon: Icon, color } = lookOf(action);
  const isMachine = action.metadata.source === 'machine';
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

function ActivityDetails({ action: { type, formatted_metadata: about } }: { action: MemberAction }) {
  const { subject, automation_name, asset_type, destination_url, source, trigger_metadata } = about;
  const isEmail = type === 'email_sent';
  const first = isEmail ? (subject ?? 'Its content cannot be found any more') : (destination_url ?? source);
  const more = [
    destination_url && nameOfPart(asset_type),
    destination_url && source,
    isEmail ? automation_name && `Automation ${automation_name}` : subject,
    // In the time zone of the column beside it.
    trigger_metadata && `Trigger ${formatMoment(trigger_metadata)}`,
    isEmail && source !== AUTOMATION && source,
  ].filter(text => typeof text === 'string');
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

function Moment({ at }: { at: string }) {
  const ago = formatRelative(at);
  if (ago === formatDate(at)) return <time dateTime={at}>{formatMoment(at)}</time>;
  return (
    <time dateTime={at}>
      <div>{ago}</div>
      <Box color="fg.muted" fontSize="xs" lineHeight="18px">
        {formatMoment(at)}
      </Box>
    </time>
  );
}
