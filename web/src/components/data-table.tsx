import { chakra, Spinner, VisuallyHidden } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react';
import {
  type ChangeEvent,
  Fragment,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
  useRef,
} from 'react';
import type { Action } from '#shared/permissions.ts';
import { useMay } from '../lib/organization.ts';
import { messageOf } from '../lib/problem.ts';
import { chooseSort, type Position, type PositionChange } from '../lib/table-view.ts';
import { Button } from './button.tsx';
import { type Column, gridOf } from './data-table-layout.ts';
import { Failure } from './failure.tsx';
import { HelpTip } from './help-tip.tsx';
import { MenuButton, type MenuItem } from './menu.tsx';
import { onDemand } from './on-demand.tsx';
import { Pager } from './pager.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useRowFocus } from './use-row-focus.ts';

export type { Column };

type Selection<Row> = {
  /** The keys of the selected rows, which may be on other pages. */
  selected: ReadonlySet<string>;
  onSelect: (rows: Row[], isSelected: boolean) => void;
};

type Props<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The name of a row in the labels of its controls; by default its key. */
  rowName?: (row: Row) => string;
  actions?: ((row: Row) => MenuItem[]) | undefined;
  /** Without it, users have no `actions` and no `selection`. */
  right?: Action;
  isChanging?: (row: Row) => boolean;
  selection?: Selection<Row>;
  /** The number of all rows, or of those that match: "3 of 23 lists match". */
  count?: string | undefined;
  empty: ReactNode;
  problem?: unknown;
  failure?: string;
  onRetry?: () => void;
  /** Columns keep their full width. If there is no room, the table is scrolled sideways. Has no selection. */
  wide?: boolean;
  /** In a card, numbers are beside each other, each below its header. */
  figures?: boolean | 'all';
  /** A click anywhere in a row follows its link. */
  pressable?: boolean;
  /** The heading above the first of successive rows that have the same one. */
  groupOf?: (row: Row) => string;
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

// A grid, since the arrow keys move between its rows. The role is explicit, as some browsers drop the roles of rows that are
// laid out with CSS.
const TABLE = { role: 'grid' };
const SELECTABLE = { ...TABLE, 'aria-multiselectable': true };
const ROW_GROUP = { role: 'rowgroup' };
const ROW = { role: 'row' };
const COLUMN_HEADER = { role: 'columnheader', scope: 'col' };
const CELL = { role: 'gridcell' };

/** The attributes of a column's cells that the styles select by. */
const attributesOf = <Row,>(column: Column<Row>, index: number) => {
  const { header, align, collapse, sticky, corner, card } = column;
  return {
    className: index === 0 ? 'primary' : corner ? 'actions' : undefined,
    'data-column': index,
    'data-label': corner ? undefined : header,
    'data-align': align,
    'data-collapse': collapse,
    'data-card': card,
    'data-sticky': sticky,
  };
};

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, isChanging, count } = props;
  const { actions, selection } = useMay()(props.right) ? props : {};
  const { empty, problem, failure, onRetry = reload, busy, view, onChange = () => undefined } = props;
  const { lastPage, hasUnknownTotal = false, loading, expected = 5, more } = props;
  const { wide = false, pressable = false, figures = false, groupOf } = props;
  const keptFocus = useKeptFocus(rowOrButton);
  const { ref: body, ...rowFocus } = useRowFocus();
  const checkbox = useRowCheckbox({ rows, rowKey, rowName }, selection);
  const attributes = columns.map(attributesOf);
  const sorts = columns.flatMap(({ header, key = header, sort }) => (sort ? { key, header, sort } : []));
  // The bar has the checkbox for all rows.
  const hasMenu = view !== undefined && sorts.length > 0 && !selection;
  const groupBefore = (row: Row | undefined) => row && groupOf?.(row);
  const layout = { isSelectable: selection !== undefined, hasActions: actions !== undefined, isWide: wide };

  // No rows on another page or by another filter say nothing of this one.
  if (problem && !(busy ? rows?.length : rows))
    return <Failure problem={problem} message={failure} onRetry={onRetry} />;
  return (
    <div className="data-table" {...keptFocus}>
      {rows?.length === 0 ? (
        empty
      ) : (
        <Frame isWide={wide}>
          {hasMenu && (
            <div className="sort-menu">
              <SortMenu columns={sorts} view={view} onChange={onChange} />
            </div>
          )}
          <chakra.table
            {...(selection ? SELECTABLE : TABLE)}
            aria-label={label}
            aria-busy={busy || !rows}
            data-pressable={pressable || undefined}
            data-figures={figures || undefined}
            data-menu-sorts={hasMenu || undefined}
            css={gridOf(columns, layout)}
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
                    key={column.header}
                    {...COLUMN_HEADER}
                    {...attributes[index]}
                    aria-label={column.explained || column.sort ? column.header : undefined}
                    aria-sort={view && orderOf(column, view)}
                  >
                    <Header column={column} view={view} onChange={onChange} />
                    {hasMenu && column.sort && <span className="header-name">{column.header}</span>}
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
              {rows?.map((row, index) => (
                <Fragment key={rowKey(row)}>
                  <GroupHeading
                    group={groupOf?.(row)}
                    before={groupBefore(rows[index - 1])}
                    columns={attributes.length}
                  />
                  <tr {...ROW} tabIndex={-1} aria-selected={selection?.selected.has(rowKey(row))}>
                    {checkbox && (
                      <td {...CELL} className="select">
                        {checkbox(row)}
                      </td>
                    )}
                    {columns.map(({ header, cell }, column) => (
                      <td key={header} {...CELL} {...attributes[column]}>
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
                </Fragment>
              )) ?? (
                <PlaceholderRows
                  rows={expected}
                  cells={attributes}
                  isSelectable={layout.isSelectable}
                  message={loading}
                />
              )}
            </tbody>
          </chakra.table>
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

type GroupProps = { group: string | undefined; before: string | undefined; columns: number };

/** Not focusable: the arrow keys move between the rows below the headings. */
const GroupHeading = ({ group, before, columns }: GroupProps) =>
  group !== undefined &&
  group !== before && (
    <tr {...ROW} className="group">
      <td {...CELL} colSpan={columns}>
        {group}
      </td>
    </tr>
  );

const Frame = ({ isWide, children }: { isWide: boolean; children: ReactNode }) =>
  isWide ? <div className="wide-frame">{children}</div> : children;

/** Ignores clicks on other controls and selections of text. Passes on modifier keys, so that Ctrl opens another tab. */
function followLink({ target, currentTarget, nativeEvent }: ReactMouseEvent<HTMLElement>) {
  if (!(target instanceof Element) || target.closest('a, button, input, label')) return;
  // React also bubbles events of tooltips, which are elsewhere in the document.
  if (!currentTarget.contains(target) || String(getSelection())) return;
  target.closest('tr')?.querySelector('a')?.dispatchEvent(new MouseEvent('click', nativeEvent));
}

/** Not focusable itself: the links in the rows are, and have the keyboard behaviour. */
const PRESSABLE = { onClick: followLink };

const reload = () => location.reload();

/** The row at this index, else the last one; in an empty table, the button of the empty state. */
const rowOrButton = (frame: Element, index: number) =>
  [...frame.querySelectorAll<HTMLElement>('tbody tr[tabindex]')].slice(0, index + 1).at(-1) ??
  frame.querySelector<HTMLElement>('a, button');

function orderOf<Row>({ header, key = header }: Column<Row>, view: Position) {
  if (view.sort !== key) return undefined;
  return view.direction === 'asc' ? 'ascending' : 'descending';
}

type HeaderProps<Row> = {
  column: Column<Row>;
  view: Position | undefined;
  onChange: (change: PositionChange) => void;
};

function Header<Row>({ column: { header, key = header, sort }, view, onChange }: HeaderProps<Row>) {
  if (!sort || !view) return header;
  const Arrow = view.direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button type="button" onClick={() => onChange(chooseSort(view, key, sort))}>
      {header}
      <Arrow aria-hidden data-current={view.sort === key} />
    </button>
  );
}

const SortMenu = onDemand(() => import('./sort-menu.tsx'));

const RowMenu = ({ name, items, loading }: { name: string; items: MenuItem[]; loading: boolean }) =>
  items.length > 0 && (
    <MenuButton
      variant="ghost"
      width="control"
      px="0"
      aria-label={`Actions for ${name}`}
      aria-busy={loading}
      loading={loading}
      items={items}
    >
      {loading ? <Spinner width="4" height="4" /> : <Ellipsis aria-hidden />}
    </MenuButton>
  );

type PlaceholderProps = {
  rows: number;
  cells: ReturnType<typeof attributesOf>[];
  isSelectable: boolean;
  message: string | undefined;
};

function PlaceholderRows({ rows, cells, isSelectable, message }: PlaceholderProps) {
  return Array.from({ length: rows }, (_, row) => {
    const text = row === 0 ? message : undefined;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows are identical
      <tr key={row} {...ROW} aria-hidden={!text}>
        {isSelectable && <td {...CELL} className="select" />}
        {cells.map((attributes, column) => (
          <td key={attributes['data-column']} {...CELL} {...attributes}>
            {column === 0 && text ? text : <span className="waiting" />}
          </td>
        ))}
      </tr>
    );
  });
}

type Rows<Row> = { rows: Row[] | undefined; rowKey: (row: Row) => string; rowName: (row: Row) => string };

function SelectAll<Row>({
  rows = [],
  rowKey,
  selection: { selected, onSelect },
}: Pick<Rows<Row>, 'rows' | 'rowKey'> & { selection: Selection<Row> }) {
  const count = rows.filter(row => selected.has(rowKey(row))).length;
  const isAll = rows.length > 0 && count === rows.length;
  return (
    <label>
      <input
        type="checkbox"
        aria-label="Select all on this page"
        ref={box => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        checked={isAll}
        disabled={rows.length === 0}
        onChange={() => onSelect(rows, !isAll)}
      />
    </label>
  );
}

/** The checkbox of a row. With Shift it selects all rows from the last clicked one to this one. */
function useRowCheckbox<Row>(
  { rows = [], rowKey, rowName }: Rows<Row>,
  selection: Selection<Row> | undefined,
) {
  const last = useRef<string>(undefined);
  if (!selection) return undefined;
  const { selected, onSelect } = selection;

  function select(row: Row, { target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const withShift = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    const to = rows.indexOf(row);
    const from = withShift ? rows.findIndex(other => rowKey(other) === last.current) : -1;
    last.current = rowKey(row);
    onSelect(from < 0 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1), target.checked);
  }

  return (row: Row) => (
    // Otherwise Shift would select the text between the two rows.
    <label onMouseDown={event => event.shiftKey && event.preventDefault()}>
      <input
        type="checkbox"
        aria-label={`Select ${rowName(row)}`}
        checked={selected.has(rowKey(row))}
        onChange={event => select(row, event)}
      />
    </label>
  );
}
