import type { Answer, RouteKey } from '../../../shared/routes.ts';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';

/** What can be said of one of them in a message. */
export type Named = { id: string };
export type Change = Record<string, unknown>;

/** What the app needs to know of a noun to load one, to switch it on and off, to delete it, and to keep the cache in step. */
export type Entity<Item extends Named = Named, One extends GetRoute = GetRoute> = {
  /** As in "Switched to …, which this list belongs to." */
  noun: string;
  nameOf: (item: Item) => string;
  /** The page of all of them. */
  home: string;
  /** The page of a missing one says so, with a link to `home` that is called so. Without it, the user is led there. */
  back?: string;
  /** How long results are shown, in milliseconds. */
  resultDuration?: number;

  one: One;
  rows: GetRoute;
  put: Extract<RouteKey, `PUT ${string}`>;
  remove: Extract<RouteKey, `DELETE ${string}`>;
  /** What names one of them in the paths of these routes. */
  paramsOf: (id: string) => Record<string, string>;
  /** The field that says whether it is switched on. */
  activeField: string;
  /** The response of `one` after a change; where it is left out, the fields of the change are its own. */
  changedOne?: (one: Answer<One>, change: Change) => Answer<One>;

  texts: {
    missing: string;
    notLoaded: string;
    switched: (item: Item, active: boolean) => string;
    /** Where several were switched one after the other. */
    switchedAll?: (count: number, active: boolean) => string;
    notSwitched: (problem: unknown) => string;
    deleted: (item: Item) => string;
  };
};

/** The input of the route of one. */
export const inputOf = <One extends GetRoute>(
  { paramsOf }: Pick<Entity<Named, One>, 'paramsOf'>,
  id: string,
) => ({ params: paramsOf(id) }) as unknown as CallInput<One>;
