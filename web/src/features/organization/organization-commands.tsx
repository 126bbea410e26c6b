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
    const of = (id: string, label: string, words: string, run: () => unknown) =>
      ({ id, group: 'Organizations', label, words, run: () => void run() }) satisfies Command;
    return [
      ...all
        .filter(({ id }) => id !== active?.id)
        .map(({ id, name }) => of(`switch-${id}`, `Switch to ${name}`, 'organization', () => activate(id))),
      ...(active && may(active.role, 'members:invite')
        ? [
            of('invite', `Invite a member to ${active.name}`, 'new add user', () =>
              navigate(dialogPath('invite')),
            ),
          ]
        : []),
      of('create-organization', 'Create organization', 'new', create),
    ];
  }, [all, active, activate, create, navigate]);

  useCommands(commands);
  return null;
}
