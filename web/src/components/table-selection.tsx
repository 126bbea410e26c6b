import { type ChangeEvent, useRef } from 'react';

/** Makes the rows of a table selectable. */
export type Selection<Row> = {
  /** The keys of the selected rows, which may be on other pages. */
  selected: ReadonlySet<string>;
  onSelect: (rows: Row[], isSelected: boolean) => void;
};

type Rows<Row> = { rows: Row[] | undefined; rowKey: (row: Row) => string; rowName: (row: Row) => string };

/** The checkbox of the header, for all rows of the page. */
export function SelectAll<Row>({
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
export function useRowCheckbox<Row>(
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
