import { useNavigate } from 'react-router';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const GROUP = 'Broadcasts';

/** The newest ones: the first page of them. */
export default function BroadcastCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: broadcasts = [] } = useOrganizationData('GET /api/broadcasts', { query: {} });
  useCommands([
    ...broadcasts.map(({ id, name, status }) =>
      commandOf(GROUP, name, status, () => navigate(paths.broadcast(id)), id),
    ),
    ...(may('automations:edit')
      ? [commandOf(GROUP, 'New broadcast', 'create send', () => navigate(paths.newBroadcast()), 'new')]
      : []),
  ]);
  return null;
}
