import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';

/** A link within the app. */
export const TextLink = chakra(Link, {
  base: {
    textDecoration: 'underline',
    textDecorationColor: 'border.emphasized',
    // Extends the target without moving what is around it.
    '@media (pointer: coarse)': { py: '15px', my: '-15px' },
    _hover: { textDecorationColor: 'fg' },
  },
});
