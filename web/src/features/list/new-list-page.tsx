import { Box } from '@chakra-ui/react';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';

const NewListForm = onDemand(() => import('./new-list-form.tsx'), <Spinner />);

export const NewListPage = () => (
  <Page title="New list">
    <Box maxWidth="420px">
      <NewListForm />
    </Box>
  </Page>
);
