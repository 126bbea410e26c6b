import { Flex } from '@chakra-ui/react';
import type { EmailList, Region } from '#shared/list.ts';
import type { Action } from '#shared/permissions.ts';
import { needsKey, titleOf } from '#shared/providers.ts';
import { Status } from '#web/components/status.tsx';
import { formatMoment, formatNumber } from '#web/lib/format.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';

const CONNECTIONS = {
  untested: { word: 'Not Tested', tone: 'attention' },
  valid: { word: 'Valid', tone: 'usual' },
  invalid: { word: 'Invalid', tone: 'wrong' },
} as const;

export const REGION_NAMES: Record<Region, string> = { us: 'US', eu: 'EU' };

export const hasKey = (list: EmailList) => list.mailgun_sending_key !== null;

function connectionOf({ mailgun_connection_status: { connection_valid } }: EmailList) {
  if (connection_valid === null) return 'untested';
  return connection_valid ? 'valid' : 'invalid';
}

export const lastTested = ({ mailgun_connection_status: { last_tested_at } }: EmailList) =>
  last_tested_at ? formatMoment(last_tested_at) : 'Never';

export function KeyStatus({ list }: { list: EmailList }) {
  if (!hasKey(list)) return <Status tone="off">Not Set</Status>;
  const { word, tone } = CONNECTIONS[connectionOf(list)];
  return (
    <Flex inline as="span" align="center" gap="3">
      <span>Set</span>
      <Status tone={tone}>{word}</Status>
    </Flex>
  );
}

export const DomainStatus = ({ list }: { list: EmailList }) => (
  <Status tone={list.domain_verified ? 'usual' : 'attention'}>
    {list.domain_verified ? 'Verified' : 'Not verified'}
  </Status>
);

/** Of the first provider: its key, or the domain. */
export const SendingStatus = ({ list }: { list: EmailList }) =>
  needsKey(list.provider) ? (
    <KeyStatus list={list} />
  ) : (
    <Flex as="span" wrap="wrap" columnGap="3">
      <span>{titleOf(list.provider)}</span>
      <DomainStatus list={list} />
    </Flex>
  );

export const warmUpText = ({
  step,
  steps,
  most_today,
  sent_today,
}: NonNullable<EmailList['warm_up_progress']>) =>
  `Step ${step} of ${steps}: ${formatNumber(sent_today)} of ${formatNumber(most_today)} emails sent today (UTC)`;

type NextStep = {
  tone: 'info' | 'warning';
  /** What is missing: as a word for a table, and as a sentence. */
  short: string;
  message: string;
  fix: string;
  to: string;
  action: Action;
};

const KEY_STEPS = {
  missing: {
    tone: 'info',
    short: 'No sending key',
    message: 'This list cannot send yet: it has no sending key.',
    fix: 'Set the sending key',
  },
  untested: {
    tone: 'info',
    short: 'Sending key not tested',
    message: 'The sending key has not been tested yet.',
    fix: 'Test it',
  },
  invalid: {
    tone: 'warning',
    short: 'Sending key refused',
    message: 'This list cannot send: Mailgun refused its sending key.',
    fix: 'Replace the sending key',
  },
} as const;

const DOMAIN_STEP = {
  tone: 'info',
  short: 'Domain not verified',
  message: 'This list cannot send yet: its domain is not verified at Amazon SES.',
  fix: 'Verify the domain',
} as const;

function stepOfProvider(list: EmailList) {
  if (!needsKey(list.provider)) return list.domain_verified ? undefined : DOMAIN_STEP;
  const key = hasKey(list) ? connectionOf(list) : 'missing';
  return key === 'valid' ? undefined : KEY_STEPS[key];
}

/** What a list needs first before emails can be sent; undefined if nothing is missing. */
export function nextStepOf(list: EmailList): NextStep | undefined {
  const step = stepOfProvider(list);
  if (step) return { ...step, to: dialogPath('sending', list.id), action: 'sending-key:edit' };
  if (list.members_count > 0) return undefined;
  return {
    tone: 'info',
    short: 'No members',
    message: 'This list has no members to send to.',
    fix: 'Add member',
    to: paths.newListMember(list.id),
    action: 'list-members:edit',
  };
}
