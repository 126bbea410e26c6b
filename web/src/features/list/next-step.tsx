import { chakra } from '@chakra-ui/react';
import type { EmailList } from '../../../../shared/list.ts';
import { may } from '../../../../shared/permissions.ts';
import { Notice } from '../../components/notice.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganization } from '../../lib/organization.ts';
import { paths } from '../../lib/paths.ts';
import { hasKey } from './connection.tsx';

const Frame = chakra('div', { base: { mb: '4' } });

/** What keeps a list from being sent to, and where that is mended. */
export function NextStep({ list }: { list: EmailList }) {
  const role = useOrganization()?.role;
  const untold = stepOf(list);
  if (!untold) return null;
  const mends = role !== undefined && may(role, 'sending-key:edit');
  return (
    <Frame>
      <Notice
        tone={untold.tone}
        action={mends && <TextLink to={paths.editList(list.id)}>{untold.mend}</TextLink>}
      >
        {untold.message}
        {!mends && ' Please contact an admin or owner.'}
      </Notice>
    </Frame>
  );
}

function stepOf(list: EmailList) {
  const { connection_valid } = list.mailgun_connection_status;
  if (!hasKey(list)) {
    return {
      tone: 'info',
      message: 'This list cannot send yet: it has no sending key.',
      mend: 'Set the sending key',
    } as const;
  }
  if (connection_valid === null) {
    return { tone: 'info', message: 'The sending key has not been tested yet.', mend: 'Test it' } as const;
  }
  if (!connection_valid) {
    return {
      tone: 'warning',
      message: 'This list cannot send: Mailgun refused its sending key.',
      mend: 'Mend the sending key',
    } as const;
  }
  return undefined;
}
