import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';

/** A link within the app. */
export const TextLink = chakra(Link, {
  base: {
    textDecoration: 'underline',
    textDecorationColor: 'border.emphasized',
    _hover: { textDecorationColor: 'fg' },
  },
});
