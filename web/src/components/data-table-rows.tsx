import { Spinner } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import { type attributesOf, CELL, ROW } from './data-table-layout.ts';
import { MenuButton, type MenuItem } from './menu.tsx';

type MenuProps = { name: string; items: MenuItem[]; loading: boolean };

export const RowMenu = ({ name, items, loading }: MenuProps) =>
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
  cells: (ReturnType<typeof attributesOf> & { className: string | undefined })[];
  isSelectable: boolean;
  message: string | undefined;
};

/** Placeholder rows with the height of real ones. The first may say what is loading. */
export function PlaceholderRows({ rows, cells, isSelectable, message }: PlaceholderProps) {
  return Array.from({ length: rows }, (_, row) => {
    const text = row === 0 ? message : undefined;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows are identical
      <tr key={row} {...ROW} aria-hidden={!text}>
        {isSelectable && <td {...CELL} className="select" />}
        {cells.map((attributes, column) => (
          <td key={attributes['data-label']} {...CELL} {...attributes}>
            {column === 0 && text ? text : <span className="waiting" />}
          </td>
        ))}
      </tr>
    );
  });
}
