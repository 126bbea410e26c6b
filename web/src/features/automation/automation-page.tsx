import { Box, Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Automation } from '#shared/automation.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { AUTOMATION, useAutomation, useKnownAutomation } from '#web/entities/automation/automation.ts';
import { DeleteAutomation } from '#web/entities/automation/delete-automation.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { ToggleButton } from '#web/entities/toggle-button.tsx';
import { useToggle, verbOf } from '#web/entities/use-toggle.ts';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { paths } from '#web/lib/paths.ts';
import { AutomationDetails } from './automation-details.tsx';
import { ConnectedLists } from './connected-lists.tsx';
import { ObstacleNotices } from './obstacle-notices.tsx';
import { SimulationDialog } from './simulation-dialog.tsx';

const LOADING = (
  <Section title="What it sends">
    <Loading shape={[154, 360]} />
  </Section>
);

const AutomationParts = onDemand(() => import('./automation-parts.tsx'), LOADING);

/** The page of an automation: what it sends, will send and has sent, then its settings. */
export function AutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  const known = useKnownAutomation(id);
  const automation = data ?? known;
  if (!automation) {
    return (
      <Page key="loading" title="Automation">
        {LOADING}
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
  const content = useDialog('content');

  useCommands([
    commandOf(name, 'Simulate sending volume', 'simulation', simulation.open),
    commandOf(name, LINK_CONTENT, 'template asset', content.open),
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
          <ToggleButton entity={AUTOMATION} item={automation} />
          <Button onClick={simulation.open}>Simulate</Button>
          <ButtonLink to={paths.editAutomation(id)}>Edit Automation</ButtonLink>
        </>
      }
    >
      <ObstacleNotices automation={automation} />
      <AutomationParts key={id} automation={automation} loading={LOADING} linking={content}>
        <Box mt="8">
          <Section title="Settings">
            <Settings automation={automation} />
          </Section>
        </Box>
      </AutomationParts>
      {simulation.isOpen && <SimulationDialog automation={automation} onClose={simulation.close} />}
      {deleting && <DeleteAutomation automation={automation} leaves onClose={() => setDeleting(false)} />}
    </Page>
  );
}

const Settings = ({ automation }: { automation: Automation }) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: 'repeat(2, minmax(0, 1fr))' }}
    gap="4"
    alignItems="start"
  >
    <AutomationDetails automation={automation} />
    <ConnectedLists {...automation} />
  </Grid>
);
