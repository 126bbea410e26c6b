import { Navigate, useParams, useSearchParams } from 'react-router';
import { GhostLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useAutomation } from '#web/entities/automation/automation.tsx';
import { useLists } from '#web/entities/list/list.ts';
import { FOR_LIST, paths, WITH_AUDIENCE } from '#web/lib/paths.ts';

const BACK = <GhostLink to={paths.automations()}>Back to Automations</GhostLink>;

const AutomationForm = onDemand(
  async () => {
    const [form] = await Promise.all([
      import('./automation-form.tsx'),
      import('#web/entities/audience/conditions.tsx'),
      import('#web/entities/content/content-picker.tsx'),
    ]);
    // Shown at once, so that nothing moves.
    await form.preloadParts();
    return form;
  },
  <Loading
    maxWidth="720px"
    shape={['field', 'line', 'button', 160, 'field', 'field', 'field', 58, 'line', 72, 340, 'button']}
  />,
);

export function NewAutomationPage() {
  const [params] = useSearchParams();
  const { data, error } = useLists();
  return (
    <Page title="Create Automation" actions={BACK}>
      {data || error ? (
        <AutomationForm list={params.get(FOR_LIST)} audience={params.get(WITH_AUDIENCE)} />
      ) : (
        AutomationForm.fallback
      )}
    </Page>
  );
}

export function EditAutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  const lists = useLists();
  // All that this form has is changed by the sequence.
  if (data?.sequence_id) return <Navigate replace to={paths.sequence(data.sequence_id)} />;
  return (
    <Page title="Edit Automation" actions={BACK}>
      {data && (lists.data || lists.error) ? <AutomationForm automation={data} /> : AutomationForm.fallback}
    </Page>
  );
}
