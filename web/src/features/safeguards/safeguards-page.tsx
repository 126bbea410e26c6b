import { Text } from '@chakra-ui/react';
import { Failure } from '../../components/failure.tsx';
import { Loading } from '../../components/loading.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { useOrganizationData } from '../../lib/data.ts';

const SafeguardsForm = onDemand(
  () => import('./safeguards-form.tsx'),
  <Loading minHeight="279px" shape={['line', 'line', 'field', 'field', 'button']} />,
);

/** How many emails a recipient may get. */
export function SafeguardsPage() {
  const { data, error, mutate } = useOrganizationData('GET /api/safeguards');
  return (
    <Page title="Email Sending Safeguards">
      <Text mb="4" maxWidth="65ch">
        Limits prevent email fatigue. Once a recipient reaches a limit, new automated emails to them are
        skipped until they are below it again.
      </Text>
      {error && !data ? (
        <Failure problem={error} message="Failed to load safeguard settings" onRetry={() => void mutate()} />
      ) : (
        <Panel p="4" maxWidth="520px">
          {data ? (
            <SafeguardsForm settings={data} onSaved={saved => void mutate(saved, { revalidate: false })} />
          ) : (
            SafeguardsForm.fallback
          )}
        </Panel>
      )}
    </Page>
  );
}
