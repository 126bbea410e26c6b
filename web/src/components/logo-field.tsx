import { Box } from '@chakra-ui/react';
import { onDemand } from './on-demand.tsx';

/** Choose or drop, preview and save a logo, or remove it. */
export const LogoField = onDemand(
  () => import('./logo-upload.tsx'),
  <Box flex="1 1 260px" maxWidth="420px" minHeight="139px" />,
);
