import { Drawer, Portal } from '@chakra-ui/react';
import type { FinalFocus, ModalProps } from './modal-dialog.tsx';

type Props = Pick<ModalProps, 'title' | 'onClose' | 'children'> & FinalFocus;

export default function ModalDrawer({ title, onClose, children, finalFocus }: Props) {
  return (
    <Drawer.Root open placement="start" finalFocusEl={finalFocus} onOpenChange={onClose}>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content aria-label={title}>{children}</Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
