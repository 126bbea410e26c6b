import { useState } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';
import type { ChoicesOf, Filters, QueryOf } from '../lib/filters.ts';
import {
  changeView,
  type PositionChange,
  queryOf,
  readView,
  type TableView,
  type ViewChange,
  type ViewDefinition,
} from '../lib/table-view.ts';

export type Table<F extends Filters, Sort extends string = string> = {
  view: TableView<F, Sort>;
  change: (change: ViewChange<F>, options?: NavigateOptions) => void;
  filter: (choices: Partial<ChoicesOf<F>>) => void;
  /** The filters in the format of the API. */
  query: QueryOf<F>;
  isFiltered: boolean;
  clear: () => void;
};
export type TableOf<D> = D extends ViewDefinition<infer F, infer Sort> ? Table<F, Sort> : never;

/** Keeps page, sort and filters of a table in the URL. Changing a filter replaces the history entry. */
export function useTableView<F extends Filters, Sort extends string = never>(
  definition: ViewDefinition<F, Sort>,
): Table<F, Sort> {
  const [params, setParams] = useSearchParams();
  const view = readView(params, definition);
  const query = queryOf(definition.filters, view.filters);
  const change = (changes: ViewChange<F>, options?: NavigateOptions) =>
    setParams(changeView(params, definition, changes), {
      replace: changes.filters !== undefined,
      preventScrollReset: true,
      // Rendered at once: in a transition, a control would show its old value, and the next change would begin from that.
      flushSync: true,
      ...options,
    });
  return {
    view,
    change,
    filter: filters => change({ filters }),
    query,
    isFiltered: Object.keys(query).length > 0,
    clear: () => change({ filters: readView(new URLSearchParams(), definition).filters as ChoicesOf<F> }),
  };
}

export function usePages<Row>(all: Row[] | undefined, perPage: number) {
  const [chosen, setChosen] = useState(1);
  const lastPage = all && Math.max(1, Math.ceil(all.length / perPage));
  // There may be fewer rows than before.
  const page = Math.min(chosen, lastPage ?? chosen);
  return {
    rows: all?.slice((page - 1) * perPage, page * perPage),
    view: { page, sort: undefined, direction: 'asc' as const },
    onChange: (change: PositionChange) => setChosen(change.page ?? 1),
    lastPage,
  };
}
