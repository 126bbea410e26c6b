import { VisuallyHidden } from '@chakra-ui/react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent as ReactMouseEvent, type ReactNode, useCallback, useState } from 'react';
import { messageOf } from '../lib/problem.ts';
import { chooseSort, type Position, type PositionChange } from '../lib/table-view.ts';
import { Button } from './button.tsx';
import {
  attributesOf,
  CELL,
  COLUMN_HEADER,
  type Column,
  foldedOf,
  layoutOf,
  ROW,
  ROW_GROUP,
  SELECTABLE,
  stickyOf,
  TABLE,
  wideLayoutOf,
} from './data-table-layout.ts';
import { PlaceholderRows, RowMenu } from './data-table-rows.tsx';
import { Failure } from './failure.tsx';
import type { MenuItem } from './menu.tsx';
import { Pager } from './pager.tsx';
import { SelectAll, type Selection, useRowCheckbox } from './table-selection.tsx';
import { HelpTip } from './tooltip.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useRowFocus } from './use-row-focus.ts';

export type { Column };

type Props<Row> = {
  label: string;
  columns: Column<Row>[];
  /** Undefined while they are loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The name of a row in the labels of its controls; by default its key. */
  rowName?: (row: Row) => string;
  /** The menu of a row. A row without items has no menu. */
  actions?: ((row: Row) => MenuItem[]) | undefined;
  /** Whether an action of this row is running. */
  isChanging?: (row: Row) => boolean;
  selection?: Selection<Row>;
  /** The number of all rows, or of those that match: "3 of 23 lists match". */
  count?: string | undefined;
  empty: ReactNode;
  /** Why the rows could not be loaded. */
  problem?: unknown;
  failure?: string;
  onRetry?: () => void;
  /** Columns keep their full width. If there is no room, the table is scrolled sideways. Has no selection and no actions. */
  wide?: boolean;
  /** A click anywhere in a row follows its link. */
  pressable?: boolean;
  /** Other rows are being loaded while these are shown. */
  busy?: boolean;
  /** Replaces the pager: a control that loads more rows below these. */
  more?: ReactNode;
  view?: Position;
  onChange?: (change: PositionChange) => void;
  lastPage?: number | undefined;
  /** There may be pages after `lastPage`. */
  hasUnknownTotal?: boolean;
  /** The text in the first row while loading. */
  loading?: string;
  /** The number of placeholder rows while loading: as many as expected, to avoid a layout shift. */
  expected?: number;
};

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, actions, isChanging, selection, count } = props;
  const { empty, problem, failure, onRetry = reload, busy, view, onChange = () => undefined } = props;
  const { lastPage, hasUnknownTotal = false, loading, expected = 5, more } = props;
  const { wide = false, pressable = false } = props;
  const keptFocus = useKeptFocus(rowOrButton);
  const { ref: body, ...rowFocus } = useRowFocus();
  const checkbox = useRowCheckbox({ rows, rowKey, rowName }, selection);
  const [width, measured] = useWidth();
  const controls = { isSelectable: selection !== undefined, hasActions: actions !== undefined };
  const folded = wide ? NONE : foldedOf(columns, controls, width);
  const sticky = stickyOf(columns);
  const attributes = columns.map((column, index) => ({
    ...attributesOf(column, folded),
    className: index === 0 ? 'primary' : undefined,
    ...(sticky[index] && { 'data-sticky': true, style: sticky[index] }),
  }));

  if (problem && !rows) return <Failure problem={problem} message={failure} onRetry={onRetry} />;
  return (
    <div ref={measured} className="data-table" {...keptFocus}>
      {rows?.length === 0 ? (
        empty
      ) : (
        <Frame isWide={wide}>
          <table
            {...(selection ? SELECTABLE : TABLE)}
            aria-label={label}
            aria-busy={busy || !rows}
            data-pressable={pressable || undefined}
            style={wide ? wideLayoutOf(columns, width) : layoutOf(columns, controls, folded, width)}
          >
            <thead {...ROW_GROUP}>
              <tr {...ROW}>
                {selection && (
                  <th {...COLUMN_HEADER} className="select">
                    <SelectAll rows={rows} rowKey={rowKey} selection={selection} />
                  </th>
                )}
                {columns.map((column, index) => (
                  <th
                    key={column.key}
                    {...COLUMN_HEADER}
                    {...attributes[index]}
                    aria-label={column.explained && column.header}
                    aria-sort={view && orderOf(column, view)}
                  >
                    <Header column={column} view={view} onChange={onChange} />
                    <HelpTip word={column.header}>{column.explained}</HelpTip>
                  </th>
                ))}
                {actions && (
                  <th {...COLUMN_HEADER} className="actions">
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </th>
                )}
              </tr>
            </thead>
            <tbody {...ROW_GROUP} ref={body} {...rowFocus} {...(pressable && PRESSABLE)}>
              {rows?.map(row => (
                <tr
                  key={rowKey(row)}
                  {...ROW}
                  tabIndex={-1}
                  aria-selected={selection?.selected.has(rowKey(row))}
                >
                  {checkbox && (
                    <td {...CELL} className="select">
                      {checkbox(row)}
                    </td>
                  )}
                  {columns.map(({ key, cell }, column) => (
                    <td key={key} {...CELL} {...attributes[column]}>
                      {cell(row)}
                    </td>
                  ))}
                  {actions && (
                    <td {...CELL} className="actions">
                      <RowMenu
                        name={rowName(row)}
                        items={actions(row)}
                        loading={isChanging?.(row) ?? false}
                      />
                    </td>
                  )}
                </tr>
              )) ?? (
                <PlaceholderRows
                  rows={expected}
                  cells={attributes}
                  isSelectable={selection !== undefined}
                  message={loading}
                />
              )}
            </tbody>
          </table>
        </Frame>
      )}
      <div className="foot" data-empty={rows?.length === 0 && !count}>
        <div className="count">
          <span aria-live="polite">{count}</span>
          {problem ? (
            <div className="error" role="alert">
              <span>{failure ?? messageOf(problem)}</span>
              <Button variant="ghost" onClick={onRetry}>
                Try again
              </Button>
            </div>
          ) : undefined}
        </div>
        {view && lastPage !== undefined && lastPage > 1 && (
          <Pager
            label={label}
            page={view.page}
            lastPage={lastPage}
            open={hasUnknownTotal}
            onPage={page => onChange({ page })}
          />
        )}
        {more}
      </div>
    </div>
  );
}

const Frame = ({ isWide, children }: { isWide: boolean; children: ReactNode }) =>
  isWide ? <div className="wide-frame">{children}</div> : children;

const NONE: ReadonlySet<string> = new Set();

/** Ignores clicks on other controls and selections of text. Passes on modifier keys, so that Ctrl opens another tab. */
function followLink({ target, currentTarget, nativeEvent }: ReactMouseEvent<HTMLElement>) {
  if (!(target instanceof Element) || target.closest('a, button, input, label')) return;
  // React also bubbles events of tooltips, which are elsewhere in the document.
  if (!currentTarget.contains(target) || String(getSelection())) return;
  target.closest('tr')?.querySelector('a')?.dispatchEvent(new MouseEvent('click', nativeEvent));
}

/** Not focusable itself: the links in the rows are, and have the keyboard behaviour. */
const PRESSABLE = { onClick: followLink };

/** The width of an element, measured before it is painted. */
function useWidth() {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const measured = useCallback((frame: HTMLElement | null) => {
    if (!frame) return undefined;
    const measure = () => setWidth(frame.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return [width, measured] as const;
}

const reload = () => location.reload();

/** The row at this index, else the last one; in an empty table, the button of the empty state. */
const rowOrButton = (frame: Element, index: number) =>
  [...frame.querySelectorAll<HTMLElement>('tbody tr[tabindex]')].slice(0, index + 1).at(-1) ??
  frame.querySelector<HTMLElement>('a, button');

function orderOf<Row>({ key }: Column<Row>, view: Position) {
  if (view.sort !== key) return undefined;
  return view.direction === 'asc' ? 'ascending' : 'descending';
}

type HeaderProps<Row> = {
  column: Column<Row>;
  view: Position | undefined;
  onChange: (change: PositionChange) => void;
};

function Header<Row>({ column: { key, header, sort }, view, onChange }: HeaderProps<Row>) {
  if (!sort || !view) return header;
  const Arrow = view.direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button type="button" onClick={() => onChange(chooseSort(view, key, sort))}>
      {header}
      <Arrow aria-hidden data-current={view.sort === key} />
    </button>
  );
}
