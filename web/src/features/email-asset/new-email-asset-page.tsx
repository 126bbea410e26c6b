import { useState } from 'react';
import { useLocation } from 'react-router';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { copyIn } from './asset-copy.ts';

const NewAssetForm = onDemand(() => import('./new-asset-form.tsx'), <Spinner />);

/** The form of a new asset, or of the copy of one. */
export function NewEmailAssetPage() {
  const { state } = useLocation();
  const [copy] = useState(() => copyIn(state));
  return (
    <Page title={copy ? 'Duplicate Email Asset' : 'Create Email Asset'}>
      <NewAssetForm copy={copy} />
    </Page>
  );
}
