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

/** What had the focus before each modal that is open, or whose code is loading; the newest last. */
const openers: { element: Element | null }[] = [];

/** The number of dialogs and drawers that are open, or whose code is loading. */
export const openModals = () => openers.length;

/**
 * Counts an open modal, and gives what had the focus before it: the focus goes back there. Where that was in a modal that
 * this one has replaced, it goes to what had the focus before that.
 */
function useOpener() {
  const [before] = useState(() => [
    document.activeElement,
    ...openers.map(({ element }) => element).toReversed(),
  ]);
  useLayoutEffect(() => {
    const opener = { element: before[0] ?? null };
    openers.push(opener);
    return () => void openers.splice(openers.indexOf(opener), 1);
  }, [before]);
  return () => {
    const isThere = (element: Element | null): element is HTMLElement =>
      element instanceof HTMLElement && element !== document.body && element.isConnected;
    const found = before.find(isThere);
    // It was opened by its address.
    if (!found && before.includes(document.body)) return document.querySelector<HTMLElement>('main h1');
    return found ?? null;
  };
}
