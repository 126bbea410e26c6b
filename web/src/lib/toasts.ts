import type { ToastTone, Undoable } from './toaster.ts';

const DEFAULT_DURATION = 3000;

/** Chakra's toaster is loaded after the page, with the component that shows it. */
async function withToaster(use: (toaster: typeof import('./toaster.ts')) => void) {
  use(await import('./toaster.ts'));
}

/** Shows the result of an action; `duration` is in milliseconds. Repeated while it is shown, it is shown anew. */
export const toast = (message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) =>
  void withToaster(toaster => toaster.showToast(message, tone, duration));

/** Shows that something was done, with an Undo button for all that is joined in the message. */
export const toastUndoable = (change: Undoable) => void withToaster(toaster => toaster.showUndoable(change));

/** Dismisses the toasts about something that is changed again. */
export const dismissToastsAbout = (about: string | undefined) =>
  void withToaster(toaster => toaster.dismissAbout(about));
