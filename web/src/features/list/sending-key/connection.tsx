import { Flex } from '@chakra-ui/react';
import type { EmailList, Region } from '#shared/list.ts';
import { Status } from '#web/components/status.tsx';
import { formatMoment } from '#web/lib/format.ts';

const CONNECTIONS = {
  untested: { word: 'Not Tested', tone: 'attention' },
  valid: { word: 'Valid', tone: 'usual' },
  invalid: { word: 'Invalid', tone: 'wrong' },
} as const;

export const REGION_NAMES: Record<Region, string> = { us: 'US', eu: 'EU' };

export const hasKey = (list: EmailList) => list.mailgun_sending_key !== null;

function connectionOf({ mailgun_connection_status: { connection_valid } }: EmailList) {
  if (connection_valid === null) return CONNECTIONS.untested;
  return connection_valid ? CONNECTIONS.valid : CONNECTIONS.invalid;
}

export const lastTested = ({ mailgun_connection_status: { last_tested_at } }: EmailList) =>
  last_tested_at ? formatMoment(last_tested_at) : 'Never';

/** Whether the sending key is set, and the result of its last test. */
export function KeyStatus({ list }: { list: EmailList }) {
  if (!hasKey(list)) return <Status tone="off">Not Set</Status>;
  const { word, tone } = connectionOf(list);
  return (
    <Flex inline as="span" align="center" gap="3">
      <span>Set</span>
      <Status tone={tone}>{word}</Status>
    </Flex>
  );
}
