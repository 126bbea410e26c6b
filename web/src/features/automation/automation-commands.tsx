import { useNavigate } from 'react-router';
import { useAutomations, useSequences } from '#web/entities/automation/automation.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const GROUP = 'Automations';

export default function AutomationCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: automations = [] } = useAutomations();
  const { data: sequences = [] } = useSequences();
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
    ...sequences.map(({ id, name }) =>
      commandOf(GROUP, name, 'sequence', () => navigate(paths.sequence(id)), id),
    ),
    ...(may('automations:edit')
      ? [
          commandOf(GROUP, 'New automation', 'create add', () => navigate(paths.newAutomation()), 'new'),
          commandOf(GROUP, 'New sequence', 'create add steps', () => navigate(paths.newSequence()), 'steps'),
        ]
      : []),
  ]);
  return null;
}
