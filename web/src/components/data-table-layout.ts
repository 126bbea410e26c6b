import type { CSSProperties, ReactNode } from 'react';
import type { Direction } from '../lib/table-view.ts';

/** The first column is the primary one: if rows are cards, it is their title. */
export type Column<Row> = {
  key: string;
  header: string;
  /** What the header means. */
  explained?: string;
  /** In pixels, or a share of the rest, such as `minmax(0, 2fr)`. Columns without a width get one share each. */
  width?: string;
  align?: 'end';
  /**
   * If there is no room for the column, its value moves below that of the first column: alone, or after the name of the
   * column. Such columns directly follow the first one, and the last of them moves first.
   */
  collapse?: 'value' | 'labelAndValue';
  /** Makes the column sortable. The first click sorts in this direction. */
  sort?: Direction;
  cell: (row: Row) => ReactNode;
  /**
   * The column stays in place when a wide table is scrolled sideways. Its width is in pixels. Only the first columns can be
   * sticky.
   */
  sticky?: boolean;
};

// A grid, since the arrow keys move between its rows. The role is explicit, as some browsers drop the roles of rows that are
// laid out with CSS.
export const TABLE = { role: 'grid' };
export const SELECTABLE = { ...TABLE, 'aria-multiselectable': true };
export const ROW_GROUP = { role: 'rowgroup' };
export const ROW = { role: 'row' };
export const COLUMN_HEADER = { role: 'columnheader', scope: 'col' };
export const CELL = { role: 'gridcell' };

/** The attributes of a column's cells that the styles select by. */
export const attributesOf = <Row>(
  { key, header, align, collapse }: Column<Row>,
  folded: ReadonlySet<string>,
) => ({
  'data-label': header,
  'data-align': align,
  'data-collapse': collapse,
  'data-folded': folded.has(key) ? collapse : undefined,
});

/** In pixels. A text column is never narrower; tables narrower than the other width show rows as cards. */
const LEAST = 160;
const CARD = 600;
const REST = 'minmax(0, 1fr)';
const CONTROL = 'calc(var(--control) + 8px)';
const CONTROL_PIXELS = globalThis.matchMedia?.('(pointer: coarse)').matches ? 52 : 40;

const pixelsOf = ({ width = REST }: Pick<Column<never>, 'width'>) =>
  Math.max(...[...width.matchAll(/(\d+)px/g)].map(([, pixels]) => Number(pixels)), 0) || LEAST;

type Controls = { isSelectable: boolean; hasActions: boolean };

/** The columns whose values are shown below those of the first one, in a table with this width in pixels. */
export function foldedOf<Row>(
  columns: Column<Row>[],
  controls: Controls,
  width: number,
): ReadonlySet<string> {
  const folding = columns.filter(({ collapse }) => collapse);
  let room = width < CARD ? 0 : roomBeside(columns, controls, width);
  const folded = folding.filter(column => {
    room -= pixelsOf(column);
    return room < 0;
  });
  return new Set(folded.map(({ key }) => key));
}

/** The width that is left for columns that can move below the first one. */
const roomBeside = <Row>(columns: Column<Row>[], { isSelectable, hasActions }: Controls, width: number) =>
  columns.filter(({ collapse }) => !collapse).reduce((room, column) => room - pixelsOf(column), width) -
  CONTROL_PIXELS * (Number(isSelectable) + Number(hasActions));

/** The offset of each sticky column from the edge. */
export function stickyOf<Row>(columns: Column<Row>[]): (CSSProperties | undefined)[] {
  let start = 0;
  return columns.map(({ sticky, width }) => {
    if (!sticky) return undefined;
    const insetInlineStart = start;
    start += pixelsOf({ width: width ?? REST });
    return { insetInlineStart };
  });
}

/**
 * The grid tracks of a table that is scrolled sideways if its columns have no room. Its cards are like those of any other
 * table.
 */
export const wideLayoutOf = <Row>(columns: Column<Row>[], width: number): CSSProperties => {
  const tracks = columns.map(({ width = REST }) => width).join(' ');
  const least = columns.reduce((sum, column) => sum + pixelsOf(column), 0);
  return {
    ...layoutOf(columns, { isSelectable: false, hasActions: false }, new Set(), width),
    '--columns': tracks,
    '--header': tracks,
    '--least': `${least}px`,
  } as CSSProperties;
};

/** The grid tracks of a row, of the header, and of a card. */
export function layoutOf<Row>(
  columns: Column<Row>[],
  controls: Controls,
  folded: ReadonlySet<string>,
  width: number,
): CSSProperties {
  const { isSelectable, hasActions } = controls;
  const tracks = (widths: string[], checkbox = CONTROL) =>
    [...(isSelectable ? [checkbox] : []), ...widths, ...(hasActions ? [CONTROL] : [])].join(' ');
  const least = roomBeside(columns, controls, width) < 0 ? 0 : LEAST;
  const trackOf = ({ width: given = REST }: Pick<Column<Row>, 'width'>, share = 1) =>
    given.replace(
      /^minmax\(\d+(?:px)?, ([\d.]+)fr\)$/,
      (_, part) => `minmax(${(least && pixelsOf({ width: given })) * share}px, ${part * share}fr)`,
    );
  const [first = {}, ...others] = columns.filter(({ key }) => !folded.has(key));
  const rest = others.map(column => trackOf(column));
  const below = columns.filter(({ key }) => folded.has(key));
  const labelled = below.filter(({ collapse }) => collapse === 'labelAndValue').length;
  const sortable = below.filter(({ sort }) => sort).map(() => REST);
  // Several folded values are shown in two columns below the first one.
  const halves = labelled > 1 ? [trackOf(first, 0.5), trackOf(first, 0.5)] : [trackOf(first)];
  return {
    '--columns': tracks([...halves, ...rest]),
    // The headers of the first column and of those that are folded into it share its width.
    '--header': tracks([sortable.length > 0 ? 'auto' : trackOf(first), ...sortable, ...rest]),
    // The label of the checkbox extends into the padding of the card.
    '--card': tracks([REST], 'calc(var(--control) - 12px)'),
    '--lines': 1 + below.length - labelled + Math.ceil(labelled / halves.length),
    '--span': halves.length,
    '--primary': isSelectable ? 2 : 1,
  } as CSSProperties;
}
