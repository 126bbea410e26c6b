import { useNavigate } from 'react-router';
import { useAutomations, useSequences } from '#web/entities/automation/automation.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const GROUP = 'Automations';
const namesOf = (named: { name: string }[]) => named.map(({ name }) => name).join(' ');

export default function AutomationCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: automations = [] } = useAutomations();
  const { data: sequences = [] } = useSequences();
  useCommands([
    ...automations
      .filter(({ sequence_id }) => sequence_id === null)
      .map(({ id, name, email_lists }) =>
        commandOf(GROUP, name, namesOf(email_lists), () => navigate(paths.automation(id)), id),
      ),
    // Found by the names of its steps too, which its page has.
    ...sequences.map(({ id, name, steps, email_lists }) =>
      commandOf(
        GROUP,
        name,
        `sequence ${namesOf(steps)} ${namesOf(email_lists)}`,
        () => navigate(paths.sequence(id)),
        id,
      ),
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
