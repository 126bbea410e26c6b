import { useParams } from 'react-router';
import { ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useList } from '#web/entities/list/list.ts';
import { paths } from '#web/lib/paths.ts';

const ImportSteps = onDemand(() => import('./import-steps.tsx'), <Loading shape={[128, 240]} />);

export function ImportPage() {
  const { list: id = '' } = useParams();
  const list = useList(id);
  return (
    <Page
      title={list ? `Import members to ${list.name}` : 'Import members'}
      actions={
        <ButtonLink variant="ghost" to={paths.list(id)}>
          Back to the list
        </ButtonLink>
      }
    >
      {list ? <ImportSteps key={id} list={id} /> : ImportSteps.fallback}
    </Page>
  );
}
