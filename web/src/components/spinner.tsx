import { Center, Spinner as ChakraSpinner } from '@chakra-ui/react';

/** The place of content that is loading. */
export const Spinner = () => (
  <Center minHeight="40" role="status" aria-label="Loading">
    <ChakraSpinner />
  </Center>
);
