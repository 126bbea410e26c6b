import { LAST_PAGE } from '#shared/limits.ts';
import type { ChoicesOf, Filters, QueryOf, ValuesOf } from './filters.ts';

export type Direction = 'asc' | 'desc';

export type ViewDefinition<F extends Filters = Filters, Sort extends string = string> = {
  filters: F;
  /** The columns that rows can be sorted by. The first one is the default. */
  sorts?: readonly Sort[];
  direction?: Direction;
};

export type Position<Sort extends string = string> = {
  page: number;
  sort: Sort | undefined;
  direction: Direction;
};
export type TableView<F extends Filters = Filters, Sort extends string = string> = Position<Sort> & {
  filters: ValuesOf<F>;
};
export type ViewOf<D> = D extends ViewDefinition<infer F, infer Sort> ? TableView<F, Sort> : never;

export type PositionChange = { page?: number; sort?: string; direction?: Direction };
export type ViewChange<F extends Filters = Filters> = PositionChange & { filters?: Partial<ChoicesOf<F>> };

const DIRECTIONS: readonly Direction[] = ['asc', 'desc'];

const entriesOf = <F extends Filters>(filters: F) =>
  Object.entries(filters) as [keyof F & string, Filters[string]][];

export function readView<F extends Filters, Sort extends string>(
  params: URLSearchParams,
  { filters, sorts = [], direction = 'asc' }: ViewDefinition<F, Sort>,
): TableView<F, Sort> {
  const page = Number(params.get('page') ?? 1);
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    sort: sorts.find(sort => sort === params.get('sort')) ?? sorts[0],
    direction: DIRECTIONS.find(one => one === params.get('direction')) ?? direction,
    filters: Object.fromEntries(
      entriesOf(filters).map(([name, filter]) => [name, filter.read(params.get(name) ?? '')]),
    ) as ValuesOf<F>,
  };
}

/** The URL query after a change. Changing the sort or a filter goes to page 1; defaults are left out. */
export function changeView<F extends Filters, Sort extends string>(
  params: URLSearchParams,
  definition: ViewDefinition<F, Sort>,
  change: ViewChange<F>,
): URLSearchParams {
  const before = readView(params, definition);
  const { page = 1, sort = before.sort, direction = before.direction } = change;
  const filters: Partial<ChoicesOf<F>> = change.filters ?? {};
  const isDefaultSort = sort === definition.sorts?.[0] && direction === (definition.direction ?? 'asc');
  const changed = entriesOf(definition.filters).filter(([name]) => Object.hasOwn(filters, name));
  const written: Record<string, string | undefined> = {
    page: page > 1 ? String(page) : undefined,
    sort: isDefaultSort ? undefined : sort,
    direction: isDefaultSort ? undefined : direction,
    ...Object.fromEntries(changed.map(([name, filter]) => [name, filter.write(filters[name])])),
  };
  const after = new URLSearchParams(params);
  for (const [name, value] of Object.entries(written)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

export const queryOf = <F extends Filters>(filters: F, values: ValuesOf<F>): QueryOf<F> =>
  Object.fromEntries(
    entriesOf(filters)
      .map(([name, filter]) => [name, filter.ask(values[name])])
      .filter(([, asked]) => asked),
  ) as QueryOf<F>;

export const pageQuery = (page: number, per_page: number) => ({
  page: String(Math.min(page, LAST_PAGE)),
  per_page: String(per_page),
});

/** Choosing the sorted column reverses the direction. Another column starts with its own direction. */
export function chooseSort(view: Position, column: string, first: Direction = 'asc'): PositionChange {
  if (view.sort !== column) return { sort: column, direction: first };
  return { sort: column, direction: view.direction === 'asc' ? 'desc' : 'asc' };
}
