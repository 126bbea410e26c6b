import { createToaster } from '@chakra-ui/react';
import { onReset } from './store.ts';

const TONES = ['success', 'error', 'warning', 'info'] as const;
export type ToastTone = (typeof TONES)[number];
export const isTone = (type: unknown): type is ToastTone => TONES.some(tone => tone === type);

/** Enough time to read, decide and reach the button. */
const UNDO_DURATION = 8000;

/**
 * Toasts are at the bottom end of the page, above a pager (`useToastRoom`); on phones, above the top bar. They cover no
 * actions.
 */
const isPhone = globalThis.matchMedia?.('(max-width: 47.99rem)').matches;
const placement = isPhone ? 'top' : 'bottom-end';
const MAX_SHOWN = isPhone ? 1 : 3;

export const toaster = createToaster({
  placement,
  max: MAX_SHOWN,
  gap: 8,
  offsets: isPhone ? '4px' : { left: '12px', right: '12px', top: '12px', bottom: 'var(--toast-room, 12px)' },
  removeDelay: 160,
  pauseOnPageIdle: true,
});

export type Undoable = {
  message: string;
  undo: () => void;
  /** The id of the changed item. Its next change dismisses this message. */
  about?: string;
  /** The combined message if several items were changed while the toast is shown. */
  joined?: (count: number) => string;
};

type Done = { undo: () => void; about: string | undefined };

/** The changes that the shown toasts with Undo stand for, by the id of the toast. */
const undoable = new Map<string, Done[]>();
onReset(() => {
  undoable.clear();
  toaster.remove();
});

export function showToast(message: string, tone: ToastTone, duration: number) {
  show({ id: `${tone}:${message}`, title: message, type: tone, duration });
}

export function showUndoable({ message, undo, about, joined }: Undoable) {
  const id = joined?.(2) ?? message;
  dismissAbout(about, id);
  const shown = toaster.isVisible(id) ? (undoable.get(id) ?? []) : [];
  const done = [...shown.filter(one => about === undefined || one.about !== about), { undo, about }];
  undoable.set(id, done);
  show({
    id,
    title: done.length > 1 && joined ? joined(done.length) : message,
    type: 'success',
    duration: UNDO_DURATION,
    action: { label: done.length > 1 ? 'Undo all' : 'Undo', onClick: () => undoAll(id) },
  });
}

function undoAll(id: string) {
  for (const { undo } of undoable.get(id) ?? []) undo();
  undoable.delete(id);
}

export function dismissAbout(about: string | undefined, anew?: string) {
  if (about === undefined) return;
  for (const [id, done] of undoable) {
    if (id !== anew && done.some(one => one.about === about)) toaster.dismiss(id);
  }
}

/** Removes the oldest toast if there are too many, as the new one is more important. */
function show(options: Parameters<typeof toaster.create>[0] & { id: string }) {
  const shown = toaster.getVisibleToasts();
  if (shown.length >= MAX_SHOWN && !shown.some(({ id }) => id === options.id)) {
    toaster.dismiss(shown.at(-1)?.id);
  }
  toaster.create(options);
}
