import type { ToastTone, Undoable } from './toaster.ts';

const DEFAULT_DURATION = 3000;

/** Chakra's toaster is loaded after the page, by the component that shows toasts. */
async function withToaster(use: (toaster: typeof import('./toaster.ts')) => void) {
  use(await import('./toaster.ts'));
}

/**
 * Shows the result of an action; `duration` is in milliseconds. If the same message is shown already, its duration starts
 * again.
 */
export const toast = (message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) =>
  void withToaster(toaster => toaster.showToast(message, tone, duration));

/** Shows what was done, with an Undo button for all changes in the combined message. */
export const toastUndoable = (change: Undoable) => void withToaster(toaster => toaster.showUndoable(change));

/** Dismisses the toasts about an item that is changed again. */
export const dismissToastsAbout = (about: string | undefined) =>
  void withToaster(toaster => toaster.dismissAbout(about));
