import { chakra } from '@chakra-ui/react';
import type { EmailList } from '../../../../shared/list.ts';
import { may } from '../../../../shared/permissions.ts';
import { Notice } from '../../components/notice.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganization } from '../../lib/organization.ts';
import { paths } from '../../lib/paths.ts';
import { hasKey } from './sending-key/connection.tsx';

const Frame = chakra('div', { base: { mb: '4' } });

/** Shows what is missing before a list can send, with a link to fix it. */
export function NextStep({ list }: { list: EmailList }) {
  const role = useOrganization()?.role;
  const step = stepOf(list);
  if (!step) return null;
  const mayFix = role !== undefined && may(role, 'sending-key:edit');
  return (
    <Frame>
      <Notice
        tone={step.tone}
        action={mayFix && <TextLink to={paths.editList(list.id)}>{step.fix}</TextLink>}
      >
        {step.message}
        {!mayFix && ' Please contact an admin or owner.'}
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
      fix: 'Set the sending key',
    } as const;
  }
  if (connection_valid === null) {
    return { tone: 'info', message: 'The sending key has not been tested yet.', fix: 'Test it' } as const;
  }
  if (!connection_valid) {
    return {
      tone: 'warning',
      message: 'This list cannot send: Mailgun refused its sending key.',
      fix: 'Replace the sending key',
    } as const;
  }
  return undefined;
}
