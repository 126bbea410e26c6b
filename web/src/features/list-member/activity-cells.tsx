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
import { formatDate, formatMoment, formatRelative } from '#web/lib/format.ts';

export type MemberAction = Answer<'GET /api/list-member-actions'>[number];

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

/** The icon and the word for an action. Actions of machines are less prominent. */
export function ActivityName({ action }: { action: MemberAction }) {
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

/** The details of an action: the important ones first, the context below. */
export function ActivityDetails({ action: { type, formatted_metadata: about } }: { action: MemberAction }) {
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

/** The relative time, with the exact one below. */
export function Moment({ at }: { at: string }) {
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
