import { type FocusEvent, useEffect, useRef } from 'react';

/** The element to focus instead. `row` is the index of the table row that had the focus. */
type Next = (frame: Element, row: number) => HTMLElement | null | undefined;

/** When the focused element is removed, `next` gets the focus. React does not call `onBlur` for removed elements. */
export function useKeptFocus(next: Next) {
  const last = useRef<{ frame: Element; element: Element; row: number }>(undefined);

  useEffect(() => {
    const { activeElement, body } = document;
    if (!last.current || last.current.element.isConnected) return;
    const { frame, row } = last.current;
    const isLost = activeElement === body;
    // While a dialog is open above the element, its focus will be returned later.
    if (!isLost && activeElement?.closest('[role=dialog]') !== frame.closest('[role=dialog]')) return;
    last.current = undefined;
    if (isLost) next(frame, row)?.focus();
  });

  return {
    onFocus({ target, currentTarget: frame }: FocusEvent) {
      // React also bubbles events of menus, which are elsewhere in the document.
      if (!frame.contains(target)) return;
      last.current = { frame, element: target, row: target.closest('tr')?.sectionRowIndex ?? 0 };
    },
    onBlur({ relatedTarget }: FocusEvent) {
      if (!relatedTarget) last.current = undefined;
    },
  };
}
