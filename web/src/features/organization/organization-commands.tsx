import { useNavigate } from 'react-router';
import { may } from '#shared/permissions.ts';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { dialogPath } from '#web/lib/paths.ts';
import { sendingText, useOrganizations } from './use-organizations.ts';

const GROUP = 'Organizations';

/** Commands about organizations. Loaded when the command palette opens. */
export default function OrganizationCommands() {
  const { all = [], active, activate, create, setSending } = useOrganizations();
  const navigate = useNavigate();
  useCommands([
    ...(active && setSending
      ? [
          commandOf(GROUP, sendingText(active.active), 'stop start emails active', () =>
            setSending(!active.active),
          ),
        ]
      : []),
    ...all
      .filter(({ id }) => id !== active?.id)
      .map(({ id, name }) => commandOf(GROUP, `Switch to ${name}`, 'organization', () => activate(id), id)),
    ...(active && may(active.role, 'members:invite')
      ? [
          commandOf(GROUP, `Invite a member to ${active.name}`, 'new add user', () =>
            navigate(dialogPath('invite')),
          ),
        ]
      : []),
    commandOf(GROUP, 'Create organization', 'new', create),
  ]);
  return null;
}
