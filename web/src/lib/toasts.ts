import { store } from './store.ts';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';
export type Toast = {
  id: number;
  tone: ToastTone;
  message: string;
  duration: number;
  /** Takes back what the message says. */
  undo?: () => void;
  /** What was changed: its next change makes this out of date. */
  about?: string;
};

const DEFAULT_DURATION = 3000;
/** Long enough to read, to think again, and to get there. */
const UNDO_DURATION = 8000;

const shown = store<Toast[]>([]);
let count = 0;

export const useToasts = shown.use;

/** Says the result of something for a moment, in milliseconds. */
export function toast(message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) {
  count += 1;
  shown.set([...shown.get(), { id: count, tone, message, duration }]);
}

/** Says that something was done, and lets it be undone; `about` takes the place of what was said before. */
export function toastUndoable(message: string, undo: () => void, about?: string) {
  dismissAbout(about);
  count += 1;
  shown.set([...shown.get(), { id: count, tone: 'success', message, duration: UNDO_DURATION, undo, about }]);
}

/** Takes away what was said about something that changes again. */
export const dismissAbout = (about: string | undefined) =>
  shown.set(shown.get().filter(one => about === undefined || one.about !== about));

export const dismissToast = (id: number) => shown.set(shown.get().filter(one => one.id !== id));
