import type { Direction, Position, PositionChange } from '../lib/table-view.ts';
import { Select } from './select.tsx';

type Props = {
  columns: { key: string; header: string; sort: Direction }[];
  view: Position;
  onChange: (change: PositionChange) => void;
};

/** By the direction of the first click: that of texts is ascending. */
const ORDERS: Record<Direction, Record<Direction, string>> = {
  asc: { asc: 'A to Z', desc: 'Z to A' },
  desc: { desc: 'highest first', asc: 'lowest first' },
};

/** In place of the headers that sort, where rows are cards. */
export default function SortMenu({ columns, view, onChange }: Props) {
  const options = columns.flatMap(({ key, header, sort }) =>
    Object.entries(ORDERS[sort]).map(([order, text]) => ({
      value: `${key} ${order}`,
      label: `Sort by ${header}, ${text}`,
    })),
  );
  return (
    <Select
      aria-label="Sort by"
      value={`${view.sort} ${view.direction}`}
      options={options}
      onChange={({ target }) => {
        const [sort = '', direction] = target.value.split(' ');
        onChange({ sort, direction: direction === 'asc' ? 'asc' : 'desc' });
      }}
    />
  );
}
