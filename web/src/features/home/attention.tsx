import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import {
  type Attention as AttentionAnswer,
  HIGHEST_RATES,
  type Notice,
  type NoticeKind,
} from '#shared/attention.ts';
import { PRODUCT } from '#shared/brand.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import type { Action } from '#shared/permissions.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { TextLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { LINK_CONTENT, NEVER_SENDS, NO_LISTS, NOTHING_TO_SEND } from '#web/entities/automation/obstacles.ts';
import { revalidate, useOrganizationData } from '#web/lib/data.ts';
import { AND, formatNumber, formatUtcMoment, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { dialogPath, logPath, paths } from '#web/lib/paths.ts';

/** What prevents the organization from sending, each problem with a link to fix it. Renders nothing if there is none. */
export function Attention({ attention: { notices, left_out, ...days } }: { attention: AttentionAnswer }) {
  if (notices.length === 0) return null;
  return (
    <Section title="Needs attention">
      <Panel as="ul" divideY="1px">
        {notices.map(notice => (
          <Row key={`${notice.kind} ${notice.id} ${notice.name}`} {...noticeText(notice, days)} />
        ))}
      </Panel>
      {left_out > 0 && (
        <Text mt="3" fontSize="sm" color="fg.muted">
          {plural(left_out, 'more is', 'more are')} not shown here: begin with these.
        </Text>
      )}
    </Section>
  );
}

/** Has the domain of a list checked where that is an hour ago, which brings its notice up to date. */
export function DomainRefresh({ list }: { list: string }) {
  const onSuccess = () => void revalidate('GET /api/attention');
  useOrganizationData('GET /api/email-lists/{list}/domain-check', { params: { list } }, { onSuccess });
  return null;
}

function Row({ subject, text, mend, action }: NoticeText) {
  const may = useMay();
  const mayMend = may(action);
  return (
    <Grid
      as="li"
      templateColumns="auto minmax(0, 1fr)"
      columnGap="3"
      px="4"
      py="2.5"
      lineHeight="20px"
      overflowWrap="anywhere"
    >
      <Flex align="flex-start" pt="1px" color="fg.warning" _icon={{ width: '18px', height: '18px' }}>
        <TriangleAlert aria-hidden />
      </Flex>
      <div>
        {subject && (
          <TextLink to={subject.to} fontWeight="medium">
            {subject.name}
          </TextLink>
        )}
        <Text>
          {text}{' '}
          {mayMend ? (
            <TextLink to={mend.to} aria-label={subject ? `${mend.label}: ${subject.name}` : undefined}>
              {mend.label}
            </TextLink>
          ) : (
            <Box as="span" color="fg.muted">
              Please contact an admin or owner.
            </Box>
          )}
        </Text>
      </div>
    </Grid>
  );
}

type NoticeText = {
  subject?: { name: string; to: string };
  text: string;
  /** How to fix it, and where. */
  mend: { label: string; to: string };
  action?: Action;
};

type Days = Pick<AttentionAnswer, 'start_date' | 'end_date'>;
type Wording = (notice: Notice, days: Days) => NoticeText;

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
// Formatted as in reports. Importing their code would make the home page load it.
const RATE = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 2 });

const since = (instant: string | null) => (instant ? ` since ${formatUtcMoment(instant, '')}` : '');

const ofRate =
  (counted: keyof typeof HIGHEST_RATES, status: string, label: string): Wording =>
  ({ count, sent }, { start_date, end_date }) => ({
    text: `${formatNumber(count ?? 0)} of ${plural(sent ?? 0, 'email')} of the last 7 days ${counted}: ${RATE.format((count ?? 0) / (sent || 1))}. Above ${PERCENT.format(HIGHEST_RATES[counted])}, mailbox providers begin to refuse what you send.`,
    mend: { label, to: logPath({ status, from: start_date, to: end_date }) },
  });

const ofAutomation =
  (
    text: string | ((notice: Notice) => string),
    label: string,
    to: (id: string) => string,
    action?: Action,
  ): Wording =>
  notice => ({
    subject: { name: notice.name ?? '', to: paths.automation(notice.id ?? '') },
    text: typeof text === 'string' ? text : text(notice),
    mend: { label, to: to(notice.id ?? '') },
    ...(action && { action }),
  });

const ofKey =
  (text: string, label: string): Wording =>
  ({ id, name }) => ({
    subject: { name: name ?? '', to: paths.list(id ?? '') },
    text,
    mend: { label, to: dialogPath('sending', id ?? '') },
    action: 'sending-key:edit',
  });

const webhookAt = ({ id, name }: Notice) => {
  const to = id === ALL_LISTS ? paths.organizations() : `${paths.list(id ?? '')}?tab=unsubscribe-webhooks`;
  return { subject: { name: `Webhook ${name}`, to }, mend: { label: 'See its deliveries', to } };
};

export const noticeText = (notice: Notice, days: Days): NoticeText => WORDINGS[notice.kind](notice, days);

const WORDINGS: Record<NoticeKind, Wording> = {
  organization_off: () => ({
    text: 'This organization is inactive: nothing is sent.',
    mend: { label: 'Activate it', to: paths.organizations() },
    action: 'organization:edit',
  }),
  key_refused: ofKey('This list cannot send: Mailgun refused its sending key.', 'Replace the sending key'),
  guard_paused: ofAutomation(
    notice =>
      `${PRODUCT} paused it${notice.since ? ` on ${formatUtcMoment(notice.since, '')}` : ''}: of ${plural(notice.sent ?? 0, 'email')}, ${formatNumber(notice.count ?? 0)} bounced or were complained about.`,
    'See why, and what to do',
    paths.automation,
  ),
  guard_warned: ofAutomation(
    notice =>
      `Of ${plural(notice.sent ?? 0, 'email')}, ${formatNumber(notice.count ?? 0)} bounced or were complained about. If that goes on, ${PRODUCT} pauses it.`,
    'See the numbers',
    paths.automation,
  ),
  behind: ({ since: from }) => ({
    text: `Sending is behind${since(from)}. It catches up by itself; what is more than 24 hours late is skipped.`,
    mend: { label: 'See what was sent', to: paths.sendingLog() },
  }),
  paced: ({ count, since: until }) => ({
    text: `Your mail provider takes ${plural(count ?? 0, 'email')} a second: what is due waits for its turn${until ? `, at present until ${formatUtcMoment(until)}` : ''}.`,
    mend: { label: 'See what was sent', to: paths.sendingLog() },
  }),
  complaint_rate: ofRate('complained', 'complained', 'See who complained'),
  bounce_rate: ofRate('bounced', 'bounced', 'See what bounced'),
  broadcast_stopped: ({ id, name, since: from }) => ({
    subject: { name: name ?? '', to: paths.broadcast(id ?? '') },
    text: `This broadcast was stopped${from ? ` on ${formatUtcMoment(from, '')}` : ''}: not everybody has it. For two days it can be sent to the rest.`,
    mend: { label: 'See why', to: paths.broadcast(id ?? '') },
  }),
  unknown: ({ count }, { start_date, end_date }) => ({
    text: `The mail provider gave no clear answer for ${plural(count ?? 0, 'email')} of the last 7 days. Nothing is sent again by itself.`,
    mend: { label: 'Look at them', to: logPath({ status: 'unknown', from: start_date, to: end_date }) },
  }),
  no_content: ofAutomation(
    ({ missing }) =>
      missing.length === REQUIRED_PARTS.length
        ? NOTHING_TO_SEND
        : `Nothing to send: no active asset of the type ${AND.format(missing.map(part => PARTS[part]))}.`,
    LINK_CONTENT,
    id => dialogPath('content', id),
    'content:edit',
  ),
  no_list: ofAutomation(NO_LISTS, 'Connect a list', paths.editAutomation, 'automations:edit'),
  never_sends: ofAutomation(NEVER_SENDS, 'Edit its schedule', paths.editAutomation, 'automations:edit'),
  list_off: ofAutomation(
    'All of its lists are inactive: nothing is sent.',
    'See its lists',
    paths.automation,
  ),
  no_key: ofKey('An active automation sends to this list, which has no sending key.', 'Set the sending key'),
  not_verified: ofKey(
    'An active automation sends to this list, whose domain is not verified at Amazon SES.',
    'Verify the domain',
  ),
  domain_broken: ({ id, name, count }) => ({
    subject: { name: name ?? '', to: paths.list(id ?? '') },
    text: `Mailbox providers find ${plural(count ?? 0, 'fault')} at its domain: they refuse emails, or take them for spam.`,
    mend: { label: 'See what to enter', to: `${paths.list(id ?? '')}?tab=domain-check` },
  }),
  webhook_off: notice => ({
    ...webhookAt(notice),
    text: `It was deactivated${since(notice.since)}, as its endpoint failed for days or said that it is gone.`,
    action: 'webhooks:edit',
  }),
  webhook_failing: notice => ({
    ...webhookAt(notice),
    text: `Its endpoint fails${since(notice.since)}. Deliveries are tried again; after five days the webhook is deactivated.`,
  }),
};
