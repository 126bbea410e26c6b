import { Box } from '@chakra-ui/react';
import { Notice } from '../../components/notice.tsx';

export const ImportantNote = () => (
  <Notice tone="warning" mb="4">
    <Box fontWeight="semibold">Important Note</Box>
    Email assets cannot be edited after creation, so that reporting stays accurate. Only the active status and
    the linked automations can be changed. To change anything else, duplicate the asset.
  </Notice>
);
