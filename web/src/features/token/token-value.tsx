import { Box } from '@chakra-ui/react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ModalActions } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';

/** The value of a new token, which is shown only here. */
export const TokenValue = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <>
    <Notice tone="warning">Copy the token now. It will not be shown again.</Notice>
    <Box
      as="code"
      data-token
      display="block"
      mt="3"
      p="3"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.subtle"
      fontFamily="mono"
      fontSize="sm"
      overflowWrap="anywhere"
      userSelect="all"
    >
      {value}
    </Box>
    <ModalActions>
      <CopyButton text={value} data-autofocus />
      <Button variant="solid" onClick={onClose}>
        Close
      </Button>
    </ModalActions>
  </>
);
