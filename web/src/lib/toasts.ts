export const TONES = ['success', 'error', 'warning', 'info'] as const;
export type ToastTone = (typeof TONES)[number];

export type Undoable = {
  message: string;
  undo: () => void;
  /** The id of the changed item. Its next change dismisses this message. */
  about?: string;
  /** The combined message if several items were changed while the toast is shown. */
  joined?: (count: number) => string;
};

/** Shows toasts. It is loaded after the page. */
export type ToastDisplay = {
  show: (message: string, tone: ToastTone, duration: number) => void;
  showUndoable: (change: Undoable) => void;
  dismissAbout: (about: string | undefined) => void;
};

const toaster = Promise.withResolvers<ToastDisplay>();
export const provideToaster = toaster.resolve;

const DEFAULT_DURATION = 3000;

/** Shows the result of an action for `duration` milliseconds, which begin again if the same message is shown already. */
export const toast = (message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) =>
  void toaster.promise.then(({ show }) => show(message, tone, duration));

/** Shows what was done, with an Undo button for all changes in the combined message. */
export const toastUndoable = (change: Undoable) =>
  void toaster.promise.then(({ showUndoable }) => showUndoable(change));

export const dismissToastsAbout = (about: string | undefined) =>
  void toaster.promise.then(({ dismissAbout }) => dismissAbout(about));
