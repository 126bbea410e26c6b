import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { FOR_AUTOMATION } from '#web/lib/paths.ts';
import { copyIn } from './asset-copy.ts';

const NewAssetForm = onDemand(
  () => import('./new-asset-form.tsx'),
  <WithPreview>
    <Loading shape={[80, 'field', 'field', 42, 'line', 136, 'line', 'button', 160, 'button']} />
  </WithPreview>,
);

/** The form of a new asset, or of the copy of one. */
export function NewEmailAssetPage() {
  const { state } = useLocation();
  const [params] = useSearchParams();
  const [copy] = useState(() => copyIn(state));
  return (
    <Page title={copy ? 'Duplicate Email Asset' : 'Create Email Asset'}>
      <NewAssetForm copy={copy} automation={params.get(FOR_AUTOMATION)} />
    </Page>
  );
}
