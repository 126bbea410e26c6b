import { useNavigate } from 'react-router';
import { useAutomations } from '#web/entities/automation/automation.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const GROUP = 'Automations';

export default function AutomationCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: automations = [] } = useAutomations();
  useCommands([
    ...automations.map(({ id, name, email_lists }) =>
      commandOf(
        GROUP,
        name,
        email_lists.map(list => list.name).join(' '),
        () => navigate(paths.automation(id)),
        id,
      ),
    ),
    ...(may('automations:edit')
      ? [commandOf(GROUP, 'New automation', 'create add', () => navigate(paths.newAutomation()), 'new')]
      : []),
  ]);
  return null;
}
