import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';

/** A link within the app. */
export const TextLink = chakra(Link, {
  base: {
    textDecoration: 'underline',
    textDecorationColor: 'border.emphasized',
    // Moves nothing around it.
    '@media (pointer: coarse)': { py: '15px', my: '-15px' },
    _hover: { textDecorationColor: 'fg' },
  },
});
