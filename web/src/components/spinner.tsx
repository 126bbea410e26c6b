import { Center, Spinner as ChakraSpinner } from '@chakra-ui/react';

/** The place of content that is loading. */
export const Spinner = ({ label = 'Loading' }: { label?: string }) => (
  <Center minHeight="40" role="status" aria-label={label}>
    <ChakraSpinner />
  </Center>
);
