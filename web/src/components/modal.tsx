import { useLayoutEffect, useState } from 'react';
import type { DrawerProps, ModalProps } from './modal-dialog.tsx';
import { onDemand } from './on-demand.tsx';

const ModalDialog = onDemand(async () => ({ default: (await import('./modal-dialog.tsx')).ModalDialog }));
const ModalDrawer = onDemand(async () => ({ default: (await import('./modal-dialog.tsx')).ModalDrawer }));

export const preloadModal = ModalDialog.preload;

/** Chakra's modal dialog, which asks before it discards unsaved input. Its code is loaded on demand. */
export function Modal(props: ModalProps) {
  return <ModalDialog {...props} finalFocus={useOpener()} />;
}

export function Drawer(props: DrawerProps) {
  return <ModalDrawer {...props} finalFocus={useOpener()} />;
}

/** The elements that had the focus before each modal that is open or loading; the newest last. */
const openers: { element: Element | null }[] = [];

export const openModals = () => openers.length;

/** Counts an open modal. Returns what to focus when it is closed: what had the focus before, if it is still there. */
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
    // The dialog was opened by its URL.
    if (!found && before.includes(document.body)) return document.querySelector<HTMLElement>('main h1');
    return found ?? null;
  };
}
