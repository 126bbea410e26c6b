import type { RouteKey } from '#shared/routes.ts';
import type { CallInput } from './api.ts';

export type GetRoute = Extract<RouteKey, `GET ${string}`>;

/** The SWR key of a cached response. `organization` is set if the response depends on the active one. */
export type CacheKey<K extends GetRoute> = {
  route: K;
  input: CallInput<K> | undefined;
  organization: number | undefined;
};

export const cacheKey = <K extends GetRoute>(
  route: K,
  input: CallInput<K> | undefined,
  organization?: number,
): CacheKey<K> => ({ route, input, organization });

const isCacheKey = (key: unknown): key is CacheKey<GetRoute> =>
  typeof key === 'object' && key !== null && 'route' in key;

export const isKeyOf = <K extends GetRoute>(key: unknown, ...routes: readonly K[]): key is CacheKey<K> =>
  isCacheKey(key) && routes.some(route => route === key.route);

export const isKeyWithin = (key: unknown, organization: number) =>
  isCacheKey(key) && key.organization === organization;
