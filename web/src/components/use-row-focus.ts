import { type FocusEvent, type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef } from 'react';

const STEPS: Record<string, (row: HTMLTableRowElement, rows: HTMLTableRowElement[]) => Element | undefined> =
  {
    ArrowDown: (row, rows) => rows[rows.indexOf(row) + 1],
    ArrowUp: (row, rows) => rows[rows.indexOf(row) - 1],
    Home: (_, rows) => rows[0],
    End: (_, rows) => rows.at(-1),
  };

/** Props for a `tbody`: one row at a time is in the tab order, followed by its menu. Keys on the row do the rest. */
export function useRowFocus() {
  const ref = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const rows = rowsOf(ref.current);
    setTabStop(rows.find(({ tabIndex }) => tabIndex === 0) ?? rows[0]);
  });
  return {
    ref,
    onFocus: ({ target }: FocusEvent) => setTabStop(target.closest('tr')),
    onKeyDown(event: KeyboardEvent<HTMLTableSectionElement>) {
      const { target: row } = event;
      if (!(row instanceof HTMLTableRowElement)) return;
      const next = STEPS[event.key]?.(row, rowsOf(event.currentTarget));
      const selector = CONTROLS[event.key];
      const control = selector?.flatMap(one => row.querySelector<HTMLElement>(one) ?? [])[0];
      if (!next && !control) return;
      event.preventDefault();
      if (next instanceof HTMLElement) next.focus();
      control?.click();
    },
    /** Handles only the context menu key, whose target is the row. The pointer gets the native menu of a link. */
    onContextMenu(event: MouseEvent) {
      const { target: row } = event;
      const menu = row instanceof HTMLTableRowElement && row.querySelector<HTMLElement>(MENU);
      if (!menu) return;
      event.preventDefault();
      menu.click();
    },
  };
}

const MENU = '.actions button';
/** The first of these that a row has. The link in its corner is what a click on the row follows. */
const CONTROLS: Record<string, string[]> = {
  Enter: ['.actions a', 'a, [aria-haspopup=dialog]'],
  ' ': ['.select input'],
};

const rowsOf = (body: Element | null | undefined) => [
  ...(body?.querySelectorAll<HTMLTableRowElement>('tr[tabindex]') ?? []),
];

/** Makes Tab lead to this row, and then to its menu. Links and checkboxes of the row are operated by keys on the row. */
function setTabStop(current: HTMLTableRowElement | null | undefined) {
  for (const row of rowsOf(current?.parentElement)) {
    for (const element of [row, ...row.querySelectorAll<HTMLElement>('a, button, input, select')]) {
      element.tabIndex = row === current && !element.matches('a, input') ? 0 : -1;
    }
  }
}
