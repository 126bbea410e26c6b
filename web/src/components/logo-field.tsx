import { Box } from '@chakra-ui/react';
import { onDemand } from './on-demand.tsx';

/** Chooses or drops, previews and saves a logo, or removes it. */
export const LogoField = onDemand(
  () => import('./logo-upload.tsx'),
  <Box flex="1 1 260px" maxWidth="420px" minHeight="139px" />,
);
