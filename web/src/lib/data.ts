import { useCallback } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr';
import type { Answer, RouteKey } from '../../../shared/routes.ts';
import { api, type Input } from './api.ts';
import { useOrganization } from './organization.ts';

type Readable = Extract<RouteKey, `GET ${string}`>;
type Rest<K extends Readable> =
  Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/** What a route answers to the user, whichever organization is active. `options.fetcher` replaces the one call. */
export function usePersonalData<K extends Readable>(
  route: K | undefined,
  options?: SWRConfiguration<Answer<K>>,
  ...[input]: Rest<K>
) {
  return useSWR<Answer<K>>(
    route && ['user', route, input],
    options?.fetcher ?? (() => call(route as K, { ...input })),
    options,
  );
}

/** Asks anew for what is shown of these routes, wherever it is shown. */
export function useRefresh() {
  const { mutate } = useSWRConfig();
  return useCallback((...routes: Readable[]) => mutate(key => isOf(key, routes)), [mutate]);
}

/** Drops what is known of these routes, so that nothing out of date shows until they are asked anew. */
export function useDrop() {
  const { mutate } = useSWRConfig();
  return useCallback((...routes: Readable[]) => mutate(key => isOf(key, routes), undefined), [mutate]);
}

const isOf = (key: unknown, routes: Readable[]) =>
  Array.isArray(key) && routes.some(route => key.includes(route));

/** The same within the active organization. Nothing is requested while there is none. */
export function useOrganizationData<K extends Readable>(
  route: K,
  ...given: [...input: Rest<K>, options?: SWRConfiguration<Answer<K>>]
): SWRResponse<Answer<K>>;
export function useOrganizationData<K extends Readable>(
  route: K,
  input?: object,
  options?: SWRConfiguration<Answer<K>>,
) {
  const organization = useOrganization()?.id;
  return useSWR<Answer<K>>(
    organization !== undefined && ['org', organization, route, input],
    options?.fetcher ?? (() => call(route, { ...input, organization })),
    options,
  );
}

/** Calls routes within the active organization. */
export function useOrganizationCall() {
  const organization = useOrganization()?.id;
  return useCallback(
    <K extends RouteKey>(route: K, input: Omit<Input<K>, 'organization'>) =>
      call(route, { ...input, organization }),
    [organization],
  );
}

// The contract checks the input where these hooks are called; within them it is only passed on.
const call = <K extends RouteKey>(route: K, input: object) =>
  (api as (route: K, input: object) => Promise<Answer<K>>)(route, input);

/** Drops all that is known of an organization, so that no trace of it shows after a switch. */
export function useForgetOrganization() {
  const { cache } = useSWRConfig();
  return useCallback(
    (organization: number) => {
      for (const key of [...cache.keys()]) if (belongsTo(key, organization)) cache.delete(key);
    },
    [cache],
  );
}

/** Keys are arrays to us and strings to the cache: `@"org",7,"GET /api/…",`. */
export const belongsTo = (key: string, organization: number) => key.startsWith(`@"org",${organization},`);
