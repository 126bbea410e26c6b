import { store } from './store.ts';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';
export type Toast = { id: number; tone: ToastTone; message: string; duration: number };

const DEFAULT_DURATION = 3000;

const shown = store<Toast[]>([]);
let count = 0;

export const useToasts = shown.use;

/** Says the result of something for a moment, in milliseconds. */
export function toast(message: string, tone: ToastTone = 'success', duration = DEFAULT_DURATION) {
  count += 1;
  shown.set([...shown.get(), { id: count, tone, message, duration }]);
}

export const dismissToast = (id: number) => shown.set(shown.get().filter(one => one.id !== id));
