import type { CSSProperties, ReactNode } from 'react';
import type { Direction } from '../lib/table-view.ts';

/** The first column is the primary one: the title of a row where rows are cards. */
export type Column<Row> = {
  key: string;
  header: string;
  /** A track size of a CSS grid; columns without one share the rest. */
  width?: string;
  align?: 'end';
  /**
   * In a narrow or crowded table the value moves below that of the first column: by itself, or after the header. Such
   * columns come directly after the first one.
   */
  collapse?: 'value' | 'labelAndValue';
  /** Makes the column sortable: the direction of the first click. */
  sort?: Direction;
  cell: (row: Row) => ReactNode;
};

// A grid, since the arrow keys move between its rows. Where CSS lays rows out, some browsers drop the roles of their own.
export const TABLE = { role: 'grid' };
export const SELECTABLE = { ...TABLE, 'aria-multiselectable': true };
export const ROW_GROUP = { role: 'rowgroup' };
export const ROW = { role: 'row' };
export const COLUMN_HEADER = { role: 'columnheader', scope: 'col' };
export const CELL = { role: 'gridcell' };

/** What the styles need to know of the cells of a column. */
export const attributesOf = <Row>({ header, align, collapse }: Column<Row>, index: number) => ({
  className: index === 0 ? 'primary' : undefined,
  'data-label': header,
  'data-align': align,
  'data-collapse': collapse,
});

/** With more of them beside the others, even the widest table would have no room for their words. */
const MOST_MERGING = 4;

export const isCrowded = <Row>(columns: Column<Row>[]) =>
  columns.filter(({ collapse }) => collapse).length > MOST_MERGING;

const REST = 'minmax(0, 1fr)';
const CONTROL = 'calc(var(--control) + 8px)';

type Controls = { isSelectable: boolean; hasActions: boolean };

/** The tracks of a row: wide, with merged columns, and as a card. */
export function layoutOf<Row>(columns: Column<Row>[], { isSelectable, hasActions }: Controls): CSSProperties {
  const tracks = (widths: string[], checkbox = CONTROL) =>
    [...(isSelectable ? [checkbox] : []), ...widths, ...(hasActions ? [CONTROL] : [])].join(' ');
  const widthsOf = (some: Column<Row>[]) => some.map(({ width }) => width ?? REST);
  const [first = REST, ...others] = widthsOf(columns.filter(({ collapse }) => !collapse));
  const merged = columns.filter(({ collapse }) => collapse);
  const labelled = merged.filter(({ collapse }) => collapse === 'labelAndValue').length;
  const sortable = merged.filter(({ sort }) => sort).map(() => REST);
  // Several values stand in two columns below the first one.
  const halves = labelled > 1 ? ['minmax(0, 0.5fr)', 'minmax(0, 0.5fr)'] : [first];
  return {
    '--columns': tracks(widthsOf(columns)),
    '--merged': tracks([...halves, ...others]),
    // The headers of the first column and of those that are merged into it share its width.
    '--merged-header': tracks([sortable.length > 0 ? 'auto' : first, ...sortable, ...others]),
    // The label of the checkbox extends into the padding of the card.
    '--card': tracks([REST], 'calc(var(--control) - 12px)'),
    '--lines': 1 + merged.length - labelled + Math.ceil(labelled / halves.length),
    '--span': halves.length,
    '--primary': isSelectable ? 2 : 1,
  } as CSSProperties;
}
