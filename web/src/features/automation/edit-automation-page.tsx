import { useParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useAutomation } from '../../entities/automation/automation.ts';
import { paths } from '../../lib/paths.ts';

const AutomationForm = onDemand(() => import('./automation-form.tsx'), <Spinner />);

export function EditAutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  return (
    <Page
      title="Edit Automation"
      actions={
        <ButtonLink variant="ghost" to={paths.automations()}>
          Back to Automations
        </ButtonLink>
      }
    >
      {data ? <AutomationForm automation={data} /> : <Spinner />}
    </Page>
  );
}
