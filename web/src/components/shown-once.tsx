import { Box } from '@chakra-ui/react';
import { Actions } from './actions.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';

type Props = { title: string; warning: string; value: string; onClose: () => void };

/** A secret that is shown only once. The dialog is blocking, so that it is not closed by accident. */
export const ShownOnce = ({ title, warning, value, onClose }: Props) => (
  <Modal title={title} blocking onClose={onClose}>
    <Notice tone="warning">{warning}</Notice>
    <Box
      as="code"
      data-secret
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
    <Actions>
      <Button variant="ghost" onClick={onClose}>
        Close
      </Button>
      <CopyButton variant="solid" text={value} data-autofocus />
    </Actions>
  </Modal>
);
