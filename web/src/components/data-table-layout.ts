import type { SystemStyleObject } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Explained } from '../lib/help.ts';
import type { Direction } from '../lib/table-view.ts';

/** The first column is the primary one: if rows are cards, it is their title. */
export type Column<Row> = {
  /** The name by which the API sorts; by default the header. */
  key?: string;
  header: string;
  explained?: Explained;
  /** In pixels, or a share of the rest, such as `minmax(0, 2fr)`. Columns without a width get one share each. */
  width?: string;
  align?: 'end';
  /** Without room, the value moves below the first column's. Such columns follow the first one; the last one moves first. */
  collapse?: 'value' | 'labelAndValue';
  /** Makes the column sortable. The first click sorts in this direction. */
  sort?: Direction;
  cell: (row: Row) => ReactNode;
  /** It has the control of a row, which a card shows in its upper corner. */
  corner?: boolean;
  /** Where a card with `figures` shows it: in half a line, or beside the first column. */
  card?: 'half' | 'beside';
  /** Stays in place when a wide table is scrolled. Only the first columns can, with a width in pixels. */
  sticky?: boolean;
};

type Layout = { isSelectable: boolean; hasActions: boolean; isWide: boolean };

/** In pixels: a text column is never narrower. */
const LEAST = 160;
/** Narrower tables show a card for each row. */
export const CARD_WIDTH = 600;
const REST = 'minmax(0, 1fr)';
const CONTROL = 'calc(var(--control) + 8px)';
const CONTROL_PIXELS = globalThis.matchMedia?.('(pointer: coarse)').matches ? 52 : 40;

const pixelsOf = (width = REST) =>
  Math.max(...[...width.matchAll(/(\d+)px/g)].map(([, pixels]) => Number(pixels)), 0) || LEAST;
const widthOf = <Row>(columns: Column<Row>[]) => columns.reduce((sum, { width }) => sum + pixelsOf(width), 0);

/** The tracks of the rows, and at which widths of the table which columns move below the first one. */
export function gridOf<Row>(columns: Column<Row>[], layout: Layout): SystemStyleObject {
  const { isSelectable, hasActions, isWide } = layout;
  const folding = isWide ? [] : columns.filter(({ collapse }) => collapse);
  const others = columns.filter(column => !folding.includes(column));
  const least = widthOf(others) + CONTROL_PIXELS * (Number(isSelectable) + Number(hasActions));
  const limits = folding.map((_, index) =>
    Math.max(CARD_WIDTH, least + widthOf(folding.slice(0, index + 1))),
  );
  const styles: Record<string, unknown> = tracksOf(columns, [], layout);
  folding.forEach((column, index) => {
    const range = `@container (${limits[index - 1] ?? least}px <= width < ${limits[index]}px)`;
    styles[range] = tracksOf(columns, folding.slice(index), layout);
    Object.assign(styles, foldedBelow(`${limits[index]}px`, columns.indexOf(column), column));
  });
  if (isWide) Object.assign(styles, { '--least': `${least}px` }, stickyIn(columns));
  else styles[`@container (width < ${least}px)`] = tracksOf(columns, folding, layout, 0);
  return styles as SystemStyleObject;
}

function tracksOf<Row>(
  columns: Column<Row>[],
  folded: Column<Row>[],
  { isSelectable, hasActions, isWide }: Layout,
  least = 1,
) {
  const tracks = (widths: string[], checkbox = CONTROL) =>
    [...(isSelectable ? [checkbox] : []), ...widths, ...(hasActions ? [CONTROL] : [])].join(' ');
  const trackOf = ({ width = REST }: Pick<Column<Row>, 'width'> = {}, share = 1) =>
    isWide
      ? width
      : width.replace(
          /^minmax\(\d+(?:px)?, ([\d.]+)fr\)$/,
          (_, part) => `minmax(${least * pixelsOf(width) * share}px, ${part * share}fr)`,
        );
  const [first, ...rest] = columns.filter(column => !folded.includes(column));
  const labelled = folded.filter(({ collapse }) => collapse === 'labelAndValue').length;
  // Several folded values are shown in two columns below the first one.
  const halves = labelled > 1 ? 2 : 1;
  const sortable = folded.filter(({ sort }) => sort).map(() => REST);
  const beside = rest.map(column => trackOf(column));
  return {
    '--columns': tracks([...Array(halves).fill(trackOf(first, 1 / halves)), ...beside]),
    // The headers of the first column and of those that are folded into it share its width.
    '--header': tracks([sortable.length > 0 ? 'auto' : trackOf(first), ...sortable, ...beside]),
    // The label of the checkbox extends into the padding of the card.
    '--card': tracks([REST], 'calc(var(--control) - 12px)'),
    '--lines': 1 + folded.length - labelled + Math.ceil(labelled / halves),
    '--span': halves,
    '--primary': isSelectable ? 2 : 1,
  };
}

/** The value of a column below that of the first one, in tables narrower than this. A header that sorts stays visible. */
const foldedBelow = <Row>(limit: string, index: number, { collapse }: Column<Row>) => {
  const within = `@container (width < ${limit})`;
  return {
    [`& td[data-column="${index}"]`]: {
      [within]: {
        gridRow: 'auto',
        color: 'fg.muted',
        fontSize: 'xs',
        lineHeight: '18px',
        _empty: { display: 'none' },
        ...(collapse === 'value'
          ? { gridColumn: 'var(--primary) / span var(--span)' }
          : { _before: { content: 'attr(data-label) ": " / ""' } }),
      },
    },
    [`& th[data-column="${index}"]:not(:has(button:not([data-explains]))), & th[data-column="${index}"] [data-explains]`]:
      { [within]: { position: 'absolute', clipPath: 'inset(50%)' } },
  };
};

const stickyIn = <Row>(columns: Column<Row>[]) =>
  Object.fromEntries(
    columns.flatMap(({ sticky }, index) =>
      sticky
        ? [[`& [data-column="${index}"]`, { insetInlineStart: `${widthOf(columns.slice(0, index))}px` }]]
        : [],
    ),
  );
