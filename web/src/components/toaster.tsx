import { Toaster as ChakraToaster, createToaster, Toast } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { onReset } from '../lib/store.ts';
import { provideToaster, TONES, type ToastTone, type Undoable } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';
import { ToneIcon } from './notice.tsx';

/** Toasts cover no actions: they are above a pager (`useToastRoom`) or, on phones, above the top bar. */
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

/** Shows the toasts. Each disappears after its duration, but not while one of them is hovered or focused. */
export default function Toaster() {
  const focusedBefore = useRef<HTMLElement>(null);
  useToastRoom();

  /** Returns the focus, which would be lost with the toast. */
  function dismiss(id: string | undefined) {
    focusedBefore.current?.focus();
    toaster.dismiss(id);
  }

  return (
    <ChakraToaster
      toaster={toaster}
      // Above dialogs and below menus: its own style has the highest one there is.
      zIndex="toast!"
      onFocus={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
          focusedBefore.current = relatedTarget;
        }
      }}
    >
      {({ id, title, type, action }) => (
        <Toast.Root role={type === 'error' ? 'alert' : 'status'}>
          {isTone(type) && <ToneIcon tone={type} />}
          <Toast.Title>{title}</Toast.Title>
          {action && (
            <Button
              variant="ghost"
              onClick={() => {
                dismiss(id);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => dismiss(id)}>
            <X aria-hidden />
          </IconButton>
        </Toast.Root>
      )}
    </ChakraToaster>
  );
}

const isTone = (type: unknown): type is ToastTone => TONES.some(tone => tone === type);

const PROPERTY = '--toast-room';
const GAP = 12;
/** In pixels: the height of three toasts of one line, and the maximum width of toasts. */
const STACK = { height: 160, width: 444 };

/** Keeps toasts above elements in their corner that must not be covered: pagers, and sticky bars at the bottom. */
function useToastRoom() {
  useEffect(() => {
    const update = () => document.documentElement.style.setProperty(PROPERTY, `${roomBelow()}px`);
    const unsubscribe = toaster.subscribe(update);
    // The pager moves when rows are loaded.
    const resized = new ResizeObserver(update);
    resized.observe(document.body);
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      unsubscribe();
      resized.disconnect();
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, []);
}

function roomBelow(): number {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const fromLowest = [...document.querySelectorAll('[data-uncovered]')]
    .map(element => element.getBoundingClientRect())
    .filter(({ top, right }) => top < height && right > width - STACK.width)
    .sort((a, b) => b.bottom - a.bottom);
  let room = GAP;
  for (const { top, bottom } of fromLowest) {
    if (height - bottom < room + STACK.height) room = Math.max(room, height - top + GAP);
  }
  return room;
}

/** Enough time to read, decide and reach the button. */
const UNDO_DURATION = 8000;

type Done = { undo: () => void; about: string | undefined };

/** The changes that the shown toasts with Undo stand for, by the id of the toast. */
const undoable = new Map<string, Done[]>();
onReset(() => {
  undoable.clear();
  toaster.remove();
});

function showMessage(message: string, tone: ToastTone, duration: number) {
  show({ id: `${tone}:${message}`, title: message, type: tone, duration });
}

function showUndoable({ message, undo, about, joined }: Undoable) {
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

function dismissAbout(about: string | undefined, anew?: string) {
  if (about === undefined) return;
  for (const [id, done] of undoable) {
    if (id !== anew && done.some(one => one.about === about)) toaster.dismiss(id);
  }
}

/** Removes the oldest toast if there are too many, as the new one is more important. */
function show(options: Parameters<typeof toaster.create>[0] & { id: string; duration: number }) {
  const shown = toaster.getVisibleToasts();
  const same = shown.find(({ id }) => id === options.id);
  if (shown.length >= MAX_SHOWN && !same) toaster.dismiss(shown.at(-1)?.id);
  // Chakra begins the time of a shown toast again only if its duration differs.
  toaster.create({ ...options, duration: options.duration + Number(same?.duration === options.duration) });
}

provideToaster({ show: showMessage, showUndoable, dismissAbout });
