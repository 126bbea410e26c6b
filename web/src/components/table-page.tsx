import { Flex } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { countText, formatNumber, foundText } from '../lib/format.ts';
import type { Position, PositionChange } from '../lib/table-view.ts';
import { Button } from './button.tsx';
import { DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';
import { SearchField } from './search-field.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The view of `useTableView`. */
type Table = {
  view: Position & { filters: { search?: string } };
  change: (change: PositionChange) => void;
  filter: (filters: { search: string }) => void;
  isFiltered: boolean;
  clear: () => void;
};

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'empty' | 'view' | 'onChange'> & {
  title: string;
  /** Of the page; those of a row are `actions`. */
  pageActions?: ReactNode;
  table: Table;
  /** The label of the search; a table without one is not searched. */
  search?: string;
  /** The other filters, beside the search. */
  filters?: ReactNode;
  /** What all of it depends on, before everything else. */
  above?: ReactNode;
  /** What there is to say of all rows, before them; not where there are none. */
  summary?: ReactNode;
  /** What a row is called. */
  noun: string;
  /** How many rows there are without filters, and how many with them. */
  total: number | undefined;
  found: number | undefined;
  /** Where there are no rows at all, and where the filters find none. */
  nothing: ComponentProps<typeof EmptyState>;
  noMatch: ComponentProps<typeof EmptyState>;
  /** What is below the rows, and the dialogs of the page. */
  children?: ReactNode;
};

/** A page that is a table: its title and actions, search and filters, rows, their count, and why there are none. */
export const TablePage = <Row,>({ title, pageActions, above, children, ...rest }: Props<Row>) => (
  <Page title={title} actions={pageActions}>
    {above}
    <TableOrNothing {...rest} />
    {children}
  </Page>
);

type TableProps<Row> = Omit<Props<Row>, 'title' | 'pageActions' | 'above' | 'children'>;

function TableOrNothing<Row>(props: TableProps<Row>) {
  const { table, search, filters, summary, noun, total, found, nothing, noMatch, count, ...rest } = props;
  const { view, change, filter, isFiltered, clear } = table;
  const searchField = useRef<HTMLInputElement>(null);
  const keptFocus = useKeptFocus(frame => frame.querySelector<HTMLElement>('.data-table :is(a, button)'));

  function clearAll() {
    clear();
    searchField.current?.focus();
  }

  const isNothing = total === 0;
  return (
    <div {...keptFocus}>
      {!isNothing && summary}
      {!isNothing && (
        <Flex wrap="wrap" align="flex-start" gap="3" mb="3" fontSize="sm">
          {search && (
            <SearchField
              ref={searchField}
              label={search}
              value={view.filters.search ?? ''}
              onSearch={typed => filter({ search: typed })}
            />
          )}
          {filters}
        </Flex>
      )}
      <DataTable
        // A new element in place of the filters, so that nothing moves up.
        key={String(isNothing)}
        {...rest}
        count={count ?? countOf({ noun, total, found: isFiltered ? found : undefined })}
        empty={
          isNothing ? (
            <EmptyState {...nothing} />
          ) : isFiltered && !found ? (
            <EmptyState
              {...noMatch}
              action={
                <Button onClick={clearAll}>{filters ? 'Clear search and filters' : 'Clear search'}</Button>
              }
            />
          ) : (
            <EmptyState
              title={`There is no page ${formatNumber(view.page)}`}
              action={<Button onClick={() => change({ page: 1 })}>Go to the first page</Button>}
            />
          )
        }
        view={view}
        onChange={change}
      />
    </div>
  );
}

const countOf = ({ noun, total, found }: Pick<Props<never>, 'noun' | 'total' | 'found'>) =>
  total && found !== undefined ? foundText(found, total, noun) : countText(total, noun);
