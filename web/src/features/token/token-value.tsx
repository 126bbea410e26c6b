import { chakra } from '@chakra-ui/react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ModalActions } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';

const Value = chakra('code', {
  base: {
    display: 'block',
    mt: '3',
    p: '3',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'md',
    bg: 'bg.subtle',
    fontFamily: 'mono',
    fontSize: 'sm',
    overflowWrap: 'anywhere',
    userSelect: 'all',
  },
});

/** The value of a new token, which is shown only here. */
export const TokenValue = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <>
    <Notice tone="warning">Copy the token now. It will not be shown again.</Notice>
    <Value data-token>{value}</Value>
    <ModalActions>
      <CopyButton text={value} data-autofocus />
      <Button variant="solid" onClick={onClose}>
        Close
      </Button>
    </ModalActions>
  </>
);
