import { Drawer, Portal } from '@chakra-ui/react';
import type { ModalProps } from './modal.tsx';

type Props = Pick<ModalProps, 'title' | 'onClose' | 'children'>;

export default function ModalDrawer({ title, onClose, children }: Props) {
  return (
    <Drawer.Root open onOpenChange={onClose}>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content aria-label={title}>{children}</Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
