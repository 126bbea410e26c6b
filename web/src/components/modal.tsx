import { chakra } from '@chakra-ui/react';
import { type ReactNode, useLayoutEffect } from 'react';
import { onDemand } from './on-demand.tsx';

const ModalDialog = onDemand(() => import('./modal-dialog.tsx'));
const ModalDrawer = onDemand(() => import('./modal-drawer.tsx'));

export type ModalProps = {
  /** The name of the dialog: its heading, unless `bare`. */
  title: string;
  onClose: () => void;
  children: ReactNode;
  placement?: 'center' | 'top';
  /** Without heading, close button and padding. */
  bare?: boolean;
  /** Only its own buttons close it, not Escape or the backdrop. */
  blocking?: boolean;
  width?: string;
};

/** Chakra's modal dialog, which asks before it discards unsaved input. Its code is loaded with the first one. */
export function Modal(props: ModalProps) {
  useCounted();
  return <ModalDialog {...props} />;
}

/** A panel that comes in from the left. */
export function Drawer(props: Pick<ModalProps, 'title' | 'onClose' | 'children'>) {
  useCounted();
  return <ModalDrawer {...props} />;
}

let count = 0;

/** The number of dialogs and drawers that are open, or whose code is loading. */
export const openModals = () => count;

function useCounted() {
  useLayoutEffect(() => {
    count += 1;
    return () => {
      count -= 1;
    };
  }, []);
}

/** The buttons at the end of a dialog. */
export const ModalActions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: '2', mt: '5' },
});
