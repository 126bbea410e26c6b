import { chakra } from '@chakra-ui/react';

/** Pieces side by side. */
export const Row = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '3', '& + &': { mt: '4' } },
});

/** Pieces one below the other. */
export const Stack = chakra('div', { base: { display: 'grid', gap: '3' } });
