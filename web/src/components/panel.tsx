import { chakra } from '@chakra-ui/react';

/** A framed card. With `asChild`, a link or a button is the card. */
export const Panel = chakra('div', {
  base: { borderWidth: '1px', borderColor: 'border', borderRadius: 'lg', bg: 'bg.panel', fontSize: 'sm' },
  variants: {
    pressable: {
      true: {
        display: 'flex',
        gap: '3',
        width: 'full',
        height: 'full',
        textAlign: 'start',
        textDecoration: 'none',
        transition: 'border-color 120ms',
        _hover: { borderColor: 'border.emphasized' },
        '&[aria-pressed=true]': { borderColor: 'fg', boxShadow: 'inset 0 0 0 1px var(--ink)' },
      },
    },
  },
});

/** A yellow surface, with a focus ring in the colour of its text. */
export const BrandSurface = chakra('div', {
  base: { '--focus': 'var(--yellow-ink)', display: 'flex', bg: 'yellow', color: 'yellow.ink' },
});
