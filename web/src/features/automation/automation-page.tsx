import { Grid, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Automation } from '../../../../shared/automation.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import { AUTOMATION, useAutomation, useKnownAutomation } from '../../entities/automation/automation.ts';
import { DeleteAutomation } from '../../entities/automation/delete-automation.tsx';
import { useToggle, verbOf } from '../../entities/use-toggle.ts';
import { commandOf, useCommands } from '../../lib/commands.ts';
import { paths } from '../../lib/paths.ts';
import { AutomationDetails } from './automation-details.tsx';
import { ConnectedLists } from './connected-lists.tsx';
import { Forecast } from './forecast.tsx';
import { SimulationDialog } from './simulation-dialog.tsx';
import { TemplateStatus } from './template-status.tsx';

const COLUMNS = { base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' };

/** The page of an automation. */
export function AutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  const known = useKnownAutomation(id);
  const automation = data ?? known;
  if (!automation) {
    return (
      <Page key="loading" title="Automation">
        <Loading templateColumns={COLUMNS} shape={[300]} beside={[130, 154]} />
      </Page>
    );
  }
  return <Loaded automation={automation} />;
}

function Loaded({ automation }: { automation: Automation }) {
  const { id, name } = automation;
  const navigate = useNavigate();
  const { toggle } = useToggle(AUTOMATION);
  const [deleting, setDeleting] = useState(false);
  const simulation = useDialog('simulation');

  useCommands([
    commandOf(name, 'Simulate sending volume', 'simulation', simulation.open),
    commandOf(name, 'Edit automation', 'schedule lists', () => navigate(paths.editAutomation(id))),
    commandOf(
      name,
      `${verbOf(automation.active)} automation`,
      'status',
      () => void toggle(automation, !automation.active),
    ),
  ]);

  return (
    <Page
      title={name}
      actions={
        <>
          <Button variant="ghost" onClick={() => setDeleting(true)}>
            Delete Automation
          </Button>
          <Button onClick={simulation.open}>Simulate</Button>
          <ButtonLink to={paths.editAutomation(id)}>Edit Automation</ButtonLink>
        </>
      }
    >
      <Grid templateColumns={COLUMNS} gap="4" alignItems="start">
        <AutomationDetails automation={automation} />
        <Stack gap="4">
          <TemplateStatus automation={automation} />
          <ConnectedLists {...automation} />
        </Stack>
      </Grid>
      <Forecast automation={automation} />
      {simulation.isOpen && <SimulationDialog automation={automation} onClose={simulation.close} />}
      {deleting && <DeleteAutomation automation={automation} leaves onClose={() => setDeleting(false)} />}
    </Page>
  );
}
