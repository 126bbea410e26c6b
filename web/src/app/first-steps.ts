import type { EmailList } from '../../../shared/list.ts';
import type { Role } from '../../../shared/organization.ts';
import { may } from '../../../shared/permissions.ts';
import type { FirstStep } from '../features/home/first-steps.tsx';
import { dialogPath, paths } from '../lib/paths.ts';

type Known = {
  role: Role;
  lists: EmailList[];
  /** Undefined where it is not known, or none of the user's business. */
  hasColleagues: boolean | undefined;
};

/** The first steps that this role may take. */
export function firstStepsOf({ role, lists, hasColleagues }: Known): FirstStep[] {
  // What was done is no first step again when a key breaks or is replaced: the list says so.
  const isConnected = lists.some(
    ({
      mailgun_connection_status: { last_tested_at, connection_valid },
      mailgun_sending_key,
      members_count,
    }) => connection_valid || last_tested_at !== null || (mailgun_sending_key !== null && members_count > 0),
  );
  const [first] = lists;
  return [
    {
      label: 'Create list',
      about: 'A list holds the contacts that you send to from one of your domains.',
      isDone: lists.length > 0,
      to: paths.newList(),
    },
    may(role, 'sending-key:edit') && {
      label: 'Set the sending key',
      about: 'And test it: with the key of your domain, Mailgun accepts the emails of the list.',
      isDone: isConnected,
      to: first && paths.editList(first.id),
    },
    {
      label: 'Add member',
      about: 'One by one, or from your own systems by the API.',
      isDone: lists.some(({ members_count }) => members_count > 0),
      to: first && paths.newListMember(first.id),
    },
    hasColleagues !== undefined && {
      label: 'Invite member',
      about: 'If you do not work alone: they see the lists of the organization too.',
      isDone: hasColleagues,
      isOptional: true,
      to: dialogPath('invite'),
    },
  ].filter(step => step !== false);
}
