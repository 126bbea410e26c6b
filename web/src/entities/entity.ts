import { mutate } from 'swr';
import type { Action } from '#shared/permissions.ts';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { type GetRoute, isKeyOf } from '../lib/cache-key.ts';
import { invalidateAfter } from '../lib/data.ts';

/** The least that messages need of an item. */
export type Named = { id: string };
export type Change = Record<string, unknown>;

/** What the app needs to know of a type of items to load, switch and delete one, and to update the cache. */
export type Entity<Item extends Named = Named, One extends GetRoute = GetRoute> = {
  /** Used in "Switched to …, which this list belongs to." */
  noun: string;
  nameOf: (item: Item) => string;
  home: string;
  /** The label of a link to `home` on the page of a missing item. Without it, the user is redirected there. */
  back?: string;
  resultDuration?: number;

  one: One;
  rows: GetRoute;
  put: Extract<RouteKey, `PUT ${string}`>;
  remove: Extract<RouteKey, `DELETE ${string}`>;
  paramsOf: (id: string) => Record<string, string>;
  activeField: string;
  /** The right to change and to delete it. */
  right: Action;
  /** The response of `one` after a change; by default, the fields of the change are merged into it. */
  changedOne?: (one: Answer<One>, change: Change) => Answer<One>;

  texts: {
    missing: string;
    notLoaded: string;
    switched: (item: Item, active: boolean) => string;
    /** The message after several items were switched one after the other. */
    switchedAll?: (count: number, active: boolean) => string;
    notSwitched: (problem: unknown) => string;
    deleted: (item: Item) => string;
  };
};

type Place = { organization: number | undefined; id: string };
type Cached<One extends GetRoute> = Pick<Entity<never, One>, 'one' | 'rows' | 'paramsOf' | 'changedOne'>;

/** Updates an item in the cached responses of the organization of the request. Adds nothing to them. */
export async function updateCached<One extends GetRoute>(
  entity: Cached<One>,
  place: Place,
  change: Change,
): Promise<void> {
  const { changedOne = (one: object) => ({ ...one, ...change }) as Answer<One> } = entity;
  const changed = (row: Named) => [row.id === place.id ? { ...row, ...change } : row];
  await mutate(isRows(entity, place), (rows?: Rows) => edited(rows, changed), { revalidate: false });
  await mutate(isOne(entity, place), (one?: Answer<One>) => one && changedOne(one, change), {
    revalidate: false,
  });
}

/** Removes a deleted item from the cache. Then revalidates what is stale, as the rows of later pages move up. */
export async function removeCached(
  entity: Pick<Entity, 'one' | 'rows' | 'paramsOf' | 'remove'>,
  place: Place,
): Promise<void> {
  const without = (row: Named) => (row.id === place.id ? [] : [row]);
  await mutate(isRows(entity, place), (rows?: Rows) => edited(rows, without), { revalidate: false });
  await mutate(isOne(entity, place), undefined, { revalidate: false });
  void invalidateAfter(entity.remove, place.organization);
}

type Rows = Named[] | { data: Named[] } | { combinations: Named[] };

function edited(rows: Rows | undefined, edit: (row: Named) => Named[]): Rows | undefined {
  if (!rows) return rows;
  if (Array.isArray(rows)) return rows.flatMap(edit);
  if ('combinations' in rows) return { ...rows, combinations: rows.combinations.flatMap(edit) };
  return { ...rows, data: rows.data.flatMap(edit) };
}

const isRows =
  ({ rows }: Pick<Entity, 'rows'>, { organization }: Place) =>
  (key: unknown) =>
    isKeyOf(key, rows) && key.organization === organization;

const isOne =
  ({ one, paramsOf }: Pick<Entity, 'one' | 'paramsOf'>, { organization, id }: Place) =>
  (key: unknown) => {
    if (!isKeyOf(key, one) || key.organization !== organization) return false;
    const { params = {} } = (key.input ?? {}) as { params?: Record<string, string> };
    return Object.entries(paramsOf(id)).every(([name, value]) => params[name] === value);
  };
