import { store } from './store.ts';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';
export type Toast = {
  id: number;
  tone: ToastTone;
  message: string;
  duration: number;
  /** Reverts what the message is about. */
  undo?: () => void;
  /** Id of what was changed: its next change dismisses this toast. */
  about?: string;
};

const DEFAULT_DURATION = 3000;
/** Time to read, decide and reach the button. */
const UNDO_DURATION = 8000;

const toasts = store<Toast[]>([]);
let count = 0;

export const useToasts = toasts.use;

/** Shows the result of an action; `duration` is in milliseconds. */
export function toast(message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) {
  count += 1;
  toasts.set([...toasts.get(), { id: count, tone, message, duration }]);
}

/** Shows that something was done, with an Undo button; dismisses earlier toasts with the same `about`. */
export function toastUndoable(message: string, undo: () => void, about?: string) {
  dismissToastsAbout(about);
  count += 1;
  toasts.set([
    ...toasts.get(),
    { id: count, tone: 'success', message, duration: UNDO_DURATION, undo, about },
  ]);
}

/** Dismisses the toasts about something that is changed again. */
export const dismissToastsAbout = (about: string | undefined) =>
  toasts.set(toasts.get().filter(other => about === undefined || other.about !== about));

export const dismissToast = (id: number) => toasts.set(toasts.get().filter(other => other.id !== id));
