import { Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import type { PreviewProps } from './email-preview.tsx';

// The placeholder for the inbox entry, the tabs, and the frame.
const LOADING = <Loading minHeight="calc(min(640px, 55vh) + 180px)" shape={[64, 32, 32, 360]} />;

export const EmailPreview = onDemand(() => import('./email-preview.tsx'), LOADING);

type Props = { email: PreviewProps | undefined; children: ReactNode };

/** An email (undefined while it is loading) with further content beside it, or below it on narrow pages. */
export const EmailAndMore = ({ email, children }: Props) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 320px' }}
    columnGap="8"
    rowGap="8"
    alignItems="start"
  >
    <section aria-label="Email">{email ? <EmailPreview {...email} /> : EmailPreview.fallback}</section>
    <div>{children}</div>
  </Grid>
);
