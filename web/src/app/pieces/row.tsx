import { chakra } from '@chakra-ui/react';

/** Components side by side. */
export const Row = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '3', '& + &': { mt: '4' } },
});
