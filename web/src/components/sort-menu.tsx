import type { Position, PositionChange } from '../lib/table-view.ts';
import { Select } from './select.tsx';

type Props = {
  columns: { key: string; header: string }[];
  view: Position;
  onChange: (change: PositionChange) => void;
};

const ORDERS = { desc: 'highest first', asc: 'lowest first' } as const;

/** In place of the headers that sort, where rows are cards. */
export default function SortMenu({ columns, view, onChange }: Props) {
  const options = columns.flatMap(({ key, header }) =>
    Object.entries(ORDERS).map(([order, text]) => ({
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
