import { useRef } from 'react';

/** Removes a row of fields. The focus, which would be lost with the row, moves to the next row, else to the button. */
export function useRemoveRow(name: string, remove: (index: number) => void) {
  const frame = useRef<HTMLFieldSetElement>(null);
  function removeRow(index: number) {
    const next = `[name="${name}.${index + 1}.key"]`;
    const target =
      frame.current?.querySelector<HTMLElement>(next) ??
      frame.current?.querySelector<HTMLElement>(':scope > button');
    target?.focus();
    remove(index);
  }
  return { frame, removeRow };
}
