import { Stack, Text } from '@chakra-ui/react';
import { useSearchParams } from 'react-router';
import type { Asked } from '#shared/connection.ts';
import { Button } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useOrganizationData } from '#web/lib/data.ts';

const Waiting = () => <Loading shape={['line', 106, 'field', 'field', 'button']} maxWidth="560px" />;
const ConnectForm = onDemand(() => import('./connect-form.tsx'), <Waiting />);

/** Its assistant may be slow: it is not asked again by itself. */
const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** Where an assistant sends its user: who asks, for what, and the answer. */
export function ConnectPage() {
  const [search] = useSearchParams();
  const asked = Object.fromEntries(search) as Asked;
  const { data, error, mutate } = useOrganizationData('GET /api/connections/request', { query: asked }, ONCE);
  return (
    <Page title="Connect an assistant">
      {data?.problem ? (
        <Stack gap="4" align="flex-start" maxWidth="560px">
          <Notice tone="error">
            {data.host} cannot be connected. {data.problem}
          </Notice>
          <Button onClick={() => location.assign(data.cancel)}>Go back to {data.host}</Button>
        </Stack>
      ) : data ? (
        <ConnectForm asked={asked} request={data} />
      ) : error ? (
        <>
          <Text fontWeight="medium">Nothing was connected.</Text>
          <Failure problem={error} onRetry={() => mutate()} />
        </>
      ) : (
        <Waiting />
      )}
    </Page>
  );
}
