export type Direction = 'asc' | 'desc';

/** What of a table is shown; it lives in the address, so that a link shows the same. */
export type TableView = {
  page: number;
  sort: string | undefined;
  direction: Direction;
  filters: Record<string, string>;
};

/** The sort of a table that nobody has changed, and the names its filters have in the address. */
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

/** The address after a change. Another order or filter begins at the first page; what is usual is left out. */
export function changeView(
  params: URLSearchParams,
  defaults: TableDefaults,
  change: ViewChange,
): URLSearchParams {
  const before = readView(params, defaults);
  const { page = 1, sort = before.sort, direction = before.direction, filters = {} } = change;
  const sortedAsUsual = sort === defaults.sort && direction === (defaults.direction ?? 'asc');
  const written: Record<string, string | undefined> = {
    page: page > 1 ? String(page) : undefined,
    sort: sortedAsUsual ? undefined : sort,
    direction: sortedAsUsual ? undefined : direction,
    ...filters,
  };
  const after = new URLSearchParams(params);
  for (const [name, value] of Object.entries(written)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

/** Choosing the current column turns it round; a new one starts as its kind of value is read. */
export function chooseSort(view: TableView, column: string, first: Direction = 'asc'): ViewChange {
  if (view.sort !== column) return { sort: column, direction: first };
  return { sort: column, direction: view.direction === 'asc' ? 'desc' : 'asc' };
}
