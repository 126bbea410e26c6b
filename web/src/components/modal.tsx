import { useLayoutEffect, useState } from 'react';
import type { ModalProps } from './modal-dialog.tsx';
import { onDemand } from './on-demand.tsx';

const ModalDialog = onDemand(() => import('./modal-dialog.tsx'));
export const preloadModal = ModalDialog.preload;
const ModalDrawer = onDemand(() => import('./modal-drawer.tsx'));

/** Chakra's modal dialog, which asks before it discards unsaved input. Its code is loaded with the first one. */
export function Modal(props: ModalProps) {
  return <ModalDialog {...props} finalFocus={useOpener()} />;
}

/** A panel that comes in from the left. */
export function Drawer(props: Pick<ModalProps, 'title' | 'onClose' | 'children'>) {
  return <ModalDrawer {...props} finalFocus={useOpener()} />;
}

let count = 0;

/** The number of dialogs and drawers that are open, or whose code is loading. */
export const openModals = () => count;

/** Counts an open modal, and gives what had the focus before it: the focus goes back there. */
function useOpener() {
  const [opener] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    count += 1;
    return () => {
      count -= 1;
    };
  }, []);
  return () => {
    // It was opened by its address.
    if (opener === document.body) return document.querySelector<HTMLElement>('main h1');
    return opener instanceof HTMLElement && opener.isConnected ? opener : null;
  };
}
