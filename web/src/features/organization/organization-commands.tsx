import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../../../../shared/permissions.ts';
import { type Command, useCommands } from '../../lib/commands.ts';
import { dialogPath } from '../../lib/paths.ts';
import { useOrganizations } from './use-organizations.ts';

/** The commands about organizations, available on every page. */
export function OrganizationCommands() {
  const navigate = useNavigate();
  const { all, active, activate, create } = useOrganizations();

  const commands = useMemo((): Command[] => {
    if (!all) return [];
    const others = all.filter(({ id }) => id !== active?.id);
    const creation = {
      id: 'create-organization',
      group: 'Organizations',
      label: 'Create organization',
      words: 'new',
      run: create,
    };
    const invite = {
      id: 'invite',
      group: 'Organizations',
      label: `Invite a member to ${active?.name}`,
      words: 'new add user',
      run: () => navigate(dialogPath('invite')),
    };
    return [
      ...others.map(({ id, name }) => ({
        id: `switch-${id}`,
        group: 'Organizations',
        label: `Switch to ${name}`,
        words: 'organization',
        run: () => activate(id),
      })),
      ...(active && may(active.role, 'members:invite') ? [invite] : []),
      creation,
    ];
  }, [all, active, activate, create, navigate]);

  useCommands(commands);
  return null;
}
