import { useParams } from 'react-router';
import { GhostLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useList } from '#web/entities/list/list.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const ImportSteps = onDemand(() => import('./import-steps.tsx'), <Loading shape={[128, 240]} />);

export function ImportPage() {
  const { list: id = '' } = useParams();
  const list = useList(id);
  const title = useMay()('list-members:edit') ? 'Import members' : 'Imports';
  return (
    <Page
      title={list ? `${title} to ${list.name}` : title}
      actions={<GhostLink to={paths.list(id)}>Back to the list</GhostLink>}
    >
      {list ? <ImportSteps key={id} list={id} /> : ImportSteps.fallback}
    </Page>
  );
}
