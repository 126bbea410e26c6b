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

type Table = {
  view: Position & { filters: { search?: string; [name: string]: unknown } };
  change: (change: PositionChange) => void;
  /** Gets a new `search`, if the table has one. Typed loosely, as each table has filters of its own. */
  filter: (filters: never) => void;
  isFiltered: boolean;
  clear: () => void;
};

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'empty' | 'view' | 'onChange'> & {
  title: string;
  explained?: ComponentProps<typeof Page>['explained'];
  /** The actions of the page; those of a row are `actions`. */
  pageActions?: ReactNode;
  table: Table;
  search?: string;
  filters?: ReactNode;
  above?: ReactNode;
  /** A summary of all rows, above them. Hidden if there are no rows. */
  summary?: ReactNode;
  noun: string;
  total: number | undefined;
  found: number | undefined;
  nothing: ComponentProps<typeof EmptyState>;
  noMatch: ComponentProps<typeof EmptyState>;
  children?: ReactNode;
};

/** A page with a table: title and actions, search and filters, rows, their count, and an empty state. */
export const TablePage = <Row,>({ title, explained, pageActions, above, children, ...rest }: Props<Row>) => (
  <Page title={title} explained={explained} actions={pageActions}>
    {above}
    <TableOrNothing {...rest} />
    {children}
  </Page>
);

type TableProps<Row> = Omit<Props<Row>, 'title' | 'explained' | 'pageActions' | 'above' | 'children'>;

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
              onSearch={typed => filter({ search: typed } as never)}
            />
          )}
          {filters}
        </Flex>
      )}
      <DataTable
        // A new element replaces the filters, so that nothing moves up.
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
