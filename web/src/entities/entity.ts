import type { Answer, RouteKey } from '#shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';

/** The least that messages need of an item. */
export type Named = { id: string };
export type Change = Record<string, unknown>;

/**
 * What the app needs to know of a type of items: to load one, to switch it on and off, to delete it, and to update the cache.
 */
export type Entity<Item extends Named = Named, One extends GetRoute = GetRoute> = {
  /** Used in "Switched to …, which this list belongs to." */
  noun: string;
  nameOf: (item: Item) => string;
  /** The path of the overview. */
  home: string;
  /** The label of a link to `home` on the page of a missing item. Without it, the user is redirected there. */
  back?: string;
  /** How long messages are shown, in milliseconds. */
  resultDuration?: number;

  one: One;
  rows: GetRoute;
  put: Extract<RouteKey, `PUT ${string}`>;
  remove: Extract<RouteKey, `DELETE ${string}`>;
  /** The path parameters of an item in these routes. */
  paramsOf: (id: string) => Record<string, string>;
  /** The field that tells whether it is switched on. */
  activeField: string;
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

/** The input of the route for one item. */
export const inputOf = <One extends GetRoute>(
  { paramsOf }: Pick<Entity<Named, One>, 'paramsOf'>,
  id: string,
) => ({ params: paramsOf(id) }) as unknown as CallInput<One>;
