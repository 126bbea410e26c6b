import { Box, Grid, Skeleton } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { onDemand } from '../../components/on-demand.tsx';
import type { PreviewProps } from './preview-content.tsx';

// As high as what replaces it: how an inbox lists the email, the tabs and the frame.
const Loading = (
  <Box minHeight="calc(min(640px, 55vh) + 180px)">
    <Skeleton width="full" height="min(640px, 55vh)" borderRadius="md" role="status" aria-label="Loading" />
  </Box>
);

/** Content as an email, for a sample member. */
export const EmailPreview = onDemand(() => import('./preview-content.tsx'), Loading);

/** An email with what else is known of it beside it, or below where the page is narrow. */
export const EmailAndMore = ({ children, ...email }: PreviewProps & { children: ReactNode }) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 320px' }}
    columnGap="8"
    rowGap="8"
    alignItems="start"
  >
    <section aria-label="Email">
      <EmailPreview {...email} />
    </section>
    <div>{children}</div>
  </Grid>
);
