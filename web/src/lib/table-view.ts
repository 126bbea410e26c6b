export type Direction = 'asc' | 'desc';

/** Page, sort and filters of a table, as kept in the URL. */
export type TableView = {
  page: number;
  sort: string | undefined;
  direction: Direction;
  filters: Record<string, string>;
};

/** The default sort, and the query parameters that are filters. */
export type TableDefaults = { sort?: string; direction?: Direction; filters?: readonly string[] };

export type ViewChange = Partial<Pick<TableView, 'page' | 'sort' | 'direction'>> & {
  filters?: Record<string, string>;
};

export function readView(params: URLSearchParams, defaults: TableDefaults): TableView {
  const page = Number(params.get('page') ?? 1);
  const direction = params.get('direction');
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    sort: params.get('sort') ?? defaults.sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : (defaults.direction ?? 'asc'),
    filters: Object.fromEntries((defaults.filters ?? []).map(name => [name, params.get(name) ?? ''])),
  };
}

/** The query after a change. Changing the sort or a filter goes to page 1; defaults are left out. */
export function changeView(
  params: URLSearchParams,
  defaults: TableDefaults,
  change: ViewChange,
): URLSearchParams {
  const before = readView(params, defaults);
  const { page = 1, sort = before.sort, direction = before.direction, filters = {} } = change;
  const isDefaultSort = sort === defaults.sort && direction === (defaults.direction ?? 'asc');
  const written: Record<string, string | undefined> = {
    page: page > 1 ? String(page) : undefined,
    sort: isDefaultSort ? undefined : sort,
    direction: isDefaultSort ? undefined : direction,
    ...filters,
  };
  const after = new URLSearchParams(params);
  for (const [name, value] of Object.entries(written)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

/** Choosing the sorted column reverses it; another column begins in its own direction. */
export function chooseSort(view: TableView, column: string, first: Direction = 'asc'): ViewChange {
  if (view.sort !== column) return { sort: column, direction: first };
  return { sort: column, direction: view.direction === 'asc' ? 'desc' : 'asc' };
}
