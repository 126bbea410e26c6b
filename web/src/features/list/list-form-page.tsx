import { Box } from '@chakra-ui/react';
import { useParams } from 'react-router';
import { GhostLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useKnownList, useList } from '#web/entities/list/list.ts';
import { paths } from '#web/lib/paths.ts';

const NewListForm = onDemand(
  () => import('./list-form.tsx'),
  <Loading shape={['field', 'field', 'field', 'field', 'field', 'line', 'line', 'button']} />,
);

export const NewListPage = () => (
  <Page title="Create list">
    <Box maxWidth="420px">
      <NewListForm />
    </Box>
  </Page>
);

const EditList = onDemand(
  () => import('./edit-list.tsx'),
  <Loading
    templateColumns={{ base: '1fr', lg: 'minmax(0, 420px) minmax(0, 420px)' }}
    shape={['title', 'field', 'field', 'field', 'field', 'field', 'line', 'line', 'button']}
    beside={['title', 'line', 'line', 'field', 'field', 'field', 'button', 'title', 72]}
  />,
);

export function EditListPage() {
  const { list: id = '' } = useParams();
  const list = useList(id);
  const known = useKnownList(id);
  const name = list?.name ?? known?.name;
  return (
    <Page
      title={name ? `Edit ${name}` : 'Edit list'}
      actions={<GhostLink to={paths.list(id)}>Back to the list</GhostLink>}
    >
      {list ? <EditList list={list} /> : EditList.fallback}
    </Page>
  );
}
