import { type FocusEvent, useEffect, useRef } from 'react';

/** The element to focus instead. `row` is the index of the table row that had the focus. */
type Next = (frame: Element, row: number) => HTMLElement | null | undefined;

/**
 * Props for an element within which the focus is kept: when the focused element is removed, `next` gets the focus, which
 * browsers would leave on the body. React calls no `onBlur` for what it removes.
 */
export function useKeptFocus(next: Next) {
  const last = useRef<{ frame: Element; element: Element; row: number }>(undefined);

  useEffect(() => {
    const { activeElement, body } = document;
    if (!last.current || last.current.element.isConnected) return;
    const { frame, row } = last.current;
    const isLost = activeElement === body;
    // While a dialog is open above the frame, the focus has yet to come back.
    if (!isLost && activeElement?.closest('[role=dialog]') !== frame.closest('[role=dialog]')) return;
    last.current = undefined;
    if (isLost) next(frame, row)?.focus();
  });

  return {
    onFocus({ target, currentTarget: frame }: FocusEvent) {
      // React passes on the events of menus, which are elsewhere in the document.
      if (!frame.contains(target)) return;
      last.current = { frame, element: target, row: target.closest('tr')?.sectionRowIndex ?? 0 };
    },
    onBlur({ relatedTarget }: FocusEvent) {
      if (!relatedTarget) last.current = undefined;
    },
  };
}
