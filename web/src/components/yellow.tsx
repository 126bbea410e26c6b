import { chakra } from '@chakra-ui/react';

/** A yellow surface, with a focus ring that is dark in both themes. */
export const Yellow = chakra('div', {
  base: { '--focus': 'var(--brand-ink)', display: 'flex', bg: 'brand', color: 'brand.ink' },
});
