import { useSearchParams } from 'react-router';
import { changeView, readView, type TableDefaults, type ViewChange } from '../lib/table-view.ts';

/** Page, sort and filters of a table, kept in the address. Filtering leaves no trail in the history. */
export function useTableView(defaults: TableDefaults) {
  const [params, setParams] = useSearchParams();
  const change = (wanted: ViewChange) =>
    setParams(current => changeView(current, defaults, wanted), {
      replace: wanted.filters !== undefined,
      preventScrollReset: true,
    });
  return { view: readView(params, defaults), change };
}
