import { useNavigate } from 'react-router';
import { useLists } from '#web/entities/list/list.ts';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const GROUP = 'Email lists';

/** The lists of the organization, for the command palette: loaded when it opens. */
export default function ListCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: lists = [] } = useLists();
  useCommands([
    ...lists.map(({ id, name, domain }) =>
      commandOf(GROUP, name, domain, () => navigate(paths.list(id)), id),
    ),
    ...(may('lists:edit')
      ? [commandOf(GROUP, 'Create list', 'new add', () => navigate(paths.newList()), 'new')]
      : []),
  ]);
  return null;
}
