import { chakra } from '@chakra-ui/react';

/** What opens and closes the native `details` around it. */
export const DetailsSummary = chakra('summary', {
  base: { width: 'fit-content', py: '1', cursor: 'pointer', '@media (pointer: coarse)': { py: '13px' } },
});
