import useSWR, {
  mutate,
  type SWRConfiguration,
  type SWRResponse,
  unstable_serialize,
  useSWRConfig,
} from 'swr';
import type { Answer, RouteKey } from '../../../shared/routes.ts';
import { api, type CallInput, type OptionalInput } from './api.ts';
import { type CacheKey, cacheKey, type GetRoute, isKeyOf, isKeyWithin } from './cache-key.ts';
import { useOrganization } from './organization.ts';

/** The response of a GET route that does not depend on the active organization; `options.fetcher` replaces the request. */
export function usePersonalData<K extends GetRoute>(
  route: K | undefined,
  options?: SWRConfiguration<Answer<K>>,
  ...[input]: OptionalInput<K>
) {
  return useSWR<Answer<K>>(
    route && cacheKey(route, input),
    options?.fetcher ?? (() => uncheckedCall(route as K, { ...input })),
    options,
  );
}

/** Revalidates the responses of these routes. */
export const revalidate = (...routes: GetRoute[]) => mutate(key => isKeyOf(key, ...routes));

/** Deletes the cached responses of these routes, so that no stale data is shown until they are fetched again. */
export const clearCache = (...routes: GetRoute[]) => mutate(key => isKeyOf(key, ...routes), undefined);

/** The response of a GET route within the active organization; no request while none is active. */
export function useOrganizationData<K extends GetRoute>(
  route: K | undefined,
  ...given: [...input: OptionalInput<K>, options?: SWRConfiguration<Answer<K>>]
): SWRResponse<Answer<K>> {
  const [input, options] = given as unknown as [CallInput<K>?, SWRConfiguration<Answer<K>>?];
  const organization = useOrganization()?.id;
  return useSWR<Answer<K>>(
    route && organization !== undefined && cacheKey(route, input, organization),
    options?.fetcher ?? (() => uncheckedCall(route as K, { ...input, organization })),
    options,
  );
}

/** Calls routes within the active organization. */
export function useOrganizationCall() {
  const organization = useOrganization()?.id;
  return <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) =>
    uncheckedCall(route, { ...input, organization });
}

/** Only passes the input on: the types of the hooks that call it check it. */
export const uncheckedCall = <K extends RouteKey>(route: K, input: object) =>
  (api as (route: K, input: object) => Promise<Answer<K>>)(route, input);

/** Reads the cached responses of a route within the active organization, each with its input, without a request. */
export function useReadCache() {
  const { cache } = useSWRConfig();
  const organization = useOrganization()?.id;
  return <K extends GetRoute>(route: K) => {
    const keys: CacheKey<K>[] = [];
    // SWR lists its keys only to the filter of a mutation; this one selects none.
    void mutate(key => {
      if (isKeyOf(key, route) && key.organization === organization) keys.push(key);
      return false;
    });
    return keys.flatMap(key => {
      const data: Answer<K> | undefined = cache.get(unstable_serialize(key))?.data;
      return data ? [{ input: key.input, data }] : [];
    });
  };
}

/** Deletes all cached responses of an organization, so that none of its data is shown after a switch. */
export const forgetOrganization = (organization: number) =>
  // With SWR's revalidation, though nothing shows them any more: without it, a page that comes back would wait for a request
  // that is under way, whose answer SWR drops.
  void mutate(key => isKeyWithin(key, organization), undefined);
