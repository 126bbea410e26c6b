import { useEffect } from 'react';
import { toaster } from '../lib/toaster.ts';

/** The distance of the toasts from the bottom of the window. */
const PROPERTY = '--toast-room';
const GAP = 12;
/** In pixels: the height of three toasts of one line, and the maximum width of toasts. */
const STACK = { height: 160, width: 444 };

/** Keeps toasts above elements in their corner that must not be covered: pagers, and sticky bars at the bottom. */
export function useToastRoom() {
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
