import { useNavigate } from 'react-router';
import { may } from '../../../../shared/permissions.ts';
import { commandOf, useCommands } from '../../lib/commands.ts';
import { dialogPath } from '../../lib/paths.ts';
import { useOrganizations } from './use-organizations.ts';

const GROUP = 'Organizations';

/** The commands about organizations, available on every page. */
export function OrganizationCommands() {
  const navigate = useNavigate();
  const { all, active, activate, create } = useOrganizations();
  const invite = () => navigate(dialogPath('invite'));
  const commands = all && [
    ...all
      .filter(({ id }) => id !== active?.id)
      .map(({ id, name }) => commandOf(GROUP, `Switch to ${name}`, 'organization', () => activate(id), id)),
    ...(active && may(active.role, 'members:invite')
      ? [commandOf(GROUP, `Invite a member to ${active.name}`, 'new add user', invite)]
      : []),
    commandOf(GROUP, 'Create organization', 'new', create),
  ];
  useCommands(commands ?? []);
  return null;
}
