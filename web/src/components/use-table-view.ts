import { type NavigateOptions, useSearchParams } from 'react-router';
import { changeView, readView, type TableDefaults, type ViewChange } from '../lib/table-view.ts';

/** Keeps page, sort and filters of a table in the URL. Changing a filter replaces the history entry. */
export function useTableView(defaults: TableDefaults) {
  const [params, setParams] = useSearchParams();
  const change = (changes: ViewChange, options?: NavigateOptions) =>
    setParams(current => changeView(current, defaults, changes), {
      replace: changes.filters !== undefined,
      preventScrollReset: true,
      ...options,
    });
  return { view: readView(params, defaults), change };
}
