import { ButtonLink } from '../../components/button.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { paths } from '../../lib/paths.ts';

const AutomationForm = onDemand(() => import('./automation-form.tsx'), <Spinner />);

export const NewAutomationPage = () => (
  <Page
    title="Create Automation"
    actions={
      <ButtonLink variant="ghost" to={paths.automations()}>
        Back to Automations
      </ButtonLink>
    }
  >
    <AutomationForm />
  </Page>
);
