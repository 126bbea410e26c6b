import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../../lib/commands.ts';
import { paths } from '../../lib/paths.ts';
import { useLists } from './use-lists.ts';

/** The lists of the organization, for the command palette: loaded when it opens. */
export default function ListCommands() {
  const navigate = useNavigate();
  const { data: lists } = useLists();
  const commands = useMemo(
    (): Command[] => [
      ...(lists ?? []).map(({ id, name, domain }) => ({
        id: `list-${id}`,
        group: 'Email lists',
        label: name,
        words: domain,
        run: () => void navigate(paths.list(id)),
      })),
      {
        id: 'new-list',
        group: 'Email lists',
        label: 'New list',
        words: 'create add',
        run: () => void navigate(paths.newList()),
      },
    ],
    [lists, navigate],
  );
  useCommands(commands);
  return null;
}
