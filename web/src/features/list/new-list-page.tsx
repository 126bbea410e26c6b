import { Box } from '@chakra-ui/react';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';

const NewListForm = onDemand(
  () => import('./new-list-form.tsx'),
  <Loading shape={['field', 'field', 'field', 'field', 'field', 'line', 'line', 'button']} />,
);

export const NewListPage = () => (
  <Page title="Create list">
    <Box maxWidth="420px">
      <NewListForm />
    </Box>
  </Page>
);
