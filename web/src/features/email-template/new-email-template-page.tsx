import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';

const NewTemplateForm = onDemand(() => import('./new-template-form.tsx'), <Spinner />);

export const NewEmailTemplatePage = () => (
  <Page title="Create Email Template">
    <NewTemplateForm />
  </Page>
);
