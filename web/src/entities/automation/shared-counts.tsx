import { Text } from '@chakra-ui/react';

/** Why a figure is not known. */
export const SHARED =
  'Another automation or broadcast sends the same email, and this is counted for an email as a whole. Reporting shows it.';

/** What to do about it. */
export const SharedNote = () => (
  <Text mt="2" fontSize="xs" color="fg.muted">
    What is not known is counted for an email as a whole, and another automation or broadcast sends the same
    one. Reporting shows both together. To see them apart from now on, duplicate the template and link the
    copy in place of it.
  </Text>
);
