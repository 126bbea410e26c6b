import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { messageOf } from '../lib/problem.ts';
import { chooseSort, type Direction, type TableView, type ViewChange } from '../lib/table-view.ts';
import { Button } from './button.tsx';
import { Frame, Scroll, Sheet } from './data-table.styles.ts';
import { Failure } from './failure.tsx';
import { Notice } from './notice.tsx';
import { Pager } from './pager.tsx';
import { SelectAll, type Selection, useRowCheckbox } from './table-selection.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

export type Column<Row> = {
  key: string;
  header: string;
  /** A CSS width; columns without one share the rest. */
  width?: string;
  align?: 'end';
  /** Makes the column sortable: the direction of the first click. */
  sort?: Direction;
  cell: (row: Row) => ReactNode;
};

type Props<Row> = {
  label: string;
  columns: Column<Row>[];
  /** Undefined while they are loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  actions?: ((row: Row) => ReactNode) | undefined;
  actionsWidth?: string;
  selection?: Selection<Row>;
  /** Below this width the table scrolls horizontally. */
  minWidth?: string;
  empty: ReactNode;
  /** Why the rows could not be loaded. */
  problem?: unknown;
  failure?: string;
  onRetry?: () => void;
  /** Other rows are loading while these are shown. */
  busy?: boolean;
  view?: TableView;
  onChange?: (change: ViewChange) => void;
  lastPage?: number | undefined;
  /** There may be pages after `lastPage`. */
  openEnd?: boolean;
  /** The text of the first row while loading. */
  loading?: string;
  /** The number of placeholder rows while loading: as many as expected, to avoid a layout shift. */
  expected?: number;
};

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, actions, empty, problem, failure, onRetry = reload, busy } = props;
  const {
    view,
    onChange = () => undefined,
    lastPage,
    openEnd = false,
    loading,
    expected = 5,
    actionsWidth = '120px',
    minWidth,
    selection,
  } = props;
  const checkbox = useRowCheckbox(props, selection);
  const keptFocus = useKeptFocus(rowOrButton);

  if (problem && !rows) return <Failure problem={problem} message={failure} onRetry={onRetry} />;
  return (
    <Frame {...keptFocus}>
      {problem ? <RefreshError message={failure ?? messageOf(problem)} onRetry={onRetry} /> : undefined}
      {/* Without rows to focus, the region itself is focusable, so that the keyboard can scroll it. */}
      <Scroll role="region" aria-label={label} tabIndex={rows?.length ? undefined : 0}>
        <Sheet aria-label={label} aria-busy={busy || !rows} style={{ minWidth }}>
          <colgroup>
            {selection && <col style={{ width: '40px' }} />}
            {columns.map(({ key, width }) => (
              <col key={key} style={{ width }} />
            ))}
            {actions && <col style={{ width: actionsWidth }} />}
          </colgroup>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="select">
                  <SelectAll rows={rows} rowKey={rowKey} selection={selection} />
                </th>
              )}
              {columns.map(column => (
                <HeaderCell key={column.key} column={column} view={view} onChange={onChange} />
              ))}
              {actions && (
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody onKeyDown={moveBetweenRows}>
            {rows ? (
              rows.map((row, index) => (
                <tr key={rowKey(row)} tabIndex={index === 0 ? 0 : -1}>
                  {checkbox && <td className="select">{checkbox(row)}</td>}
                  {columns.map(({ key, align, cell }) => (
                    <td key={key} data-align={align}>
                      {cell(row)}
                    </td>
                  ))}
                  {actions && <td className="actions">{actions(row)}</td>}
                </tr>
              ))
            ) : (
              <PlaceholderRows
                rows={expected}
                columns={columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)}
                message={loading}
              />
            )}
          </tbody>
        </Sheet>
      </Scroll>
      {rows?.length === 0 && empty}
      {view && lastPage !== undefined && lastPage > 1 && (
        <Pager
          label={label}
          page={view.page}
          lastPage={lastPage}
          open={openEnd}
          onPage={page => onChange({ page })}
        />
      )}
    </Frame>
  );
}

/** The latest request failed: the rows are those of an earlier one. */
const RefreshError = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <Notice
    tone="error"
    action={
      <Button variant="ghost" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {message}
  </Notice>
);

const reload = () => location.reload();

type HeaderProps<Row> = {
  column: Column<Row>;
  view: TableView | undefined;
  onChange: (change: ViewChange) => void;
};

function HeaderCell<Row>({ column: { key, header, align, sort }, view, onChange }: HeaderProps<Row>) {
  if (!sort || !view) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    );
  }
  const current = view.sort === key;
  const Arrow = view.direction === 'asc' ? ArrowUp : ArrowDown;
  const order = view.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" data-align={align} aria-sort={current ? order : undefined}>
      <button type="button" onClick={() => onChange(chooseSort(view, key, sort))}>
        {header}
        <Arrow aria-hidden data-current={current} />
      </button>
    </th>
  );
}

type PlaceholderProps = { rows: number; columns: number; message: string | undefined };

function PlaceholderRows({ rows, columns, message }: PlaceholderProps) {
  return Array.from({ length: rows }, (_, row) =>
    message && row === 0 ? (
      <tr key={message}>
        <td colSpan={columns}>{message}</td>
      </tr>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows are identical
      <tr key={row} aria-hidden>
        {Array.from({ length: columns }, (_, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: and so are their cells
          <td key={column}>
            <span className="waiting" />
          </td>
        ))}
      </tr>
    ),
  );
}

/** The row at this index, else the last one; of an empty table, the button of its empty state. */
const rowOrButton = (frame: Element, index: number) =>
  [...frame.querySelectorAll<HTMLElement>('tbody tr[tabindex]')].slice(0, index + 1).at(-1) ??
  frame.querySelector<HTMLElement>('a, button');

const STEPS: Record<string, (row: Element, body: Element) => Element | null> = {
  ArrowDown: row => row.nextElementSibling,
  ArrowUp: row => row.previousElementSibling,
  Home: (_, body) => body.firstElementChild,
  End: (_, body) => body.lastElementChild,
};

/** Arrow keys, Home and End move the focus between rows; Enter follows the link of the row, Space selects it. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>) {
  const row = event.target instanceof HTMLTableRowElement ? event.target : undefined;
  if (!row) return;
  if (event.key === 'Enter') {
    event.preventDefault();
    row.querySelector<HTMLElement>('td:not(.actions) a')?.click();
  }
  const checkbox = row.querySelector<HTMLElement>('td.select input');
  if (event.key === ' ' && checkbox) {
    event.preventDefault();
    checkbox.click();
  }
  const next = STEPS[event.key]?.(row, event.currentTarget);
  if (!(next instanceof HTMLTableRowElement)) return;
  event.preventDefault();
  row.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
