import type { EmailList } from '#shared/list.ts';
import type { Action } from '#shared/permissions.ts';
import { paths } from '#web/lib/paths.ts';
import { hasKey } from './sending-key/connection.tsx';

type NextStep = {
  tone: 'info' | 'warning';
  /** What is missing: as a word for a table, and as a sentence. */
  short: string;
  message: string;
  fix: string;
  to: string;
  /** The right that fixing it needs. */
  action: Action;
};

/** What a list needs first before emails can be sent; undefined if nothing is missing. */
export function nextStepOf(list: EmailList): NextStep | undefined {
  const { connection_valid } = list.mailgun_connection_status;
  const atKey = { to: paths.editList(list.id), action: 'sending-key:edit' } as const;
  if (!hasKey(list)) {
    return {
      ...atKey,
      tone: 'info',
      short: 'No sending key',
      message: 'This list cannot send yet: it has no sending key.',
      fix: 'Set the sending key',
    };
  }
  if (connection_valid === null) {
    return {
      ...atKey,
      tone: 'info',
      short: 'Sending key not tested',
      message: 'The sending key has not been tested yet.',
      fix: 'Test it',
    };
  }
  if (!connection_valid) {
    return {
      ...atKey,
      tone: 'warning',
      short: 'Sending key refused',
      message: 'This list cannot send: Mailgun refused its sending key.',
      fix: 'Replace the sending key',
    };
  }
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
