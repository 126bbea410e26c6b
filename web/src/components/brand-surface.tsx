import { chakra } from '@chakra-ui/react';

/** A yellow surface, with a focus ring in the colour of its text. */
export const BrandSurface = chakra('div', {
  base: { '--focus': 'var(--yellow-ink)', display: 'flex', bg: 'yellow', color: 'yellow.ink' },
});
