import { useCallback } from 'react';
import useSWR, { mutate, type SWRConfiguration, type SWRResponse } from 'swr';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { api, type CallInput, type OptionalInput } from './api.ts';
import { isAsked } from './asked-routes.ts';
import { type CacheKey, cacheKey, type GetRoute, isKeyOf, isKeyWithin } from './cache-key.ts';
import { INVALIDATES } from './invalidation.ts';
import { useOrganization } from './organization.ts';
import { isMissing } from './problem.ts';
import { onReset } from './store.ts';

/** The response of a GET route that does not depend on the active organization. `options.fetcher` replaces the request. */
export function usePersonalData<K extends GetRoute>(
  route: K | undefined,
  ...given: [...input: OptionalInput<K>, options?: SWRConfiguration<Answer<K>>]
): SWRResponse<Answer<K>> {
  return useResponse(route, undefined, given);
}

/** The response of a GET route within the active organization. There is no request while none is active. */
export function useOrganizationData<K extends GetRoute>(
  route: K | undefined,
  ...given: [...input: OptionalInput<K>, options?: SWRConfiguration<Answer<K>>]
): SWRResponse<Answer<K>> {
  const organization = useOrganization()?.id;
  return useResponse(organization === undefined ? undefined : route, organization, given);
}

function useResponse<K extends GetRoute>(
  route: K | undefined,
  organization: number | undefined,
  given: unknown,
) {
  const [input, options] = given as [CallInput<K>?, SWRConfiguration<Answer<K>>?];
  const key = route && cacheKey(route, input, organization);
  return useSWR<Answer<K>>(
    key,
    options?.fetcher ??
      (() => takeEarly(key as CacheKey<K>) ?? uncheckedCall(route as K, { ...input, organization })),
    options,
  );
}

const early = new Map<string, Promise<unknown>>();
onReset(() => early.clear());
/** After this time, an early response is stale. */
const EARLY_FOR = 30_000;

/**
 * Starts the first request of a page before the page is loaded. If it fails, the page makes its own request, but a 404 is
 * kept.
 */
export function startEarly<K extends GetRoute>(
  route: K,
  input: CallInput<K> | undefined,
  organization: number,
) {
  const key = JSON.stringify(cacheKey(route, input, organization));
  const forget = () => early.delete(key);
  const answer = uncheckedCall(route, { ...input, organization, isRefusalExpected: true });
  early.set(key, answer);
  answer.catch(problem => isMissing(problem) || forget());
  setTimeout(forget, EARLY_FOR);
}

function takeEarly<K extends GetRoute>(cached: CacheKey<K>) {
  const key = JSON.stringify(cached);
  const answer = early.get(key) as Promise<Answer<K>> | undefined;
  early.delete(key);
  return answer;
}

/** The cached response of a GET route within the active organization, if there is one. Makes no request. */
export const useCachedData = <K extends GetRoute>(route: K, ...[input]: OptionalInput<K>) =>
  useSWR<Answer<K>>(cacheKey(route, input, useOrganization()?.id), null).data;

/** Revalidates the shown responses of these routes. */
export const revalidate = (...routes: GetRoute[]) => mutate(key => isKeyOf(key, ...routes));

/** Requests a route within the organization that was active when the component was rendered. */
export function useOrganizationCall() {
  const organization = useOrganization()?.id;
  return useCallback(
    <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) =>
      uncheckedCall(route, { ...input, organization }),
    [organization],
  );
}

/** Like `useOrganizationCall`, for requests that change something: revalidates what they make stale. */
export function useOrganizationChange() {
  const organization = useOrganization()?.id;
  return useCallback(
    async <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) => {
      const answer = await uncheckedCall(route, { ...input, organization });
      void invalidateAfter(route, organization);
      return answer;
    },
    [organization],
  );
}

const listeners = new Set<(route: RouteKey) => void>();

/** Adds a listener that is called with the route after each change. */
export const onChange = (listen: (route: RouteKey) => void) => listeners.add(listen);

/** Revalidates what a request has made stale. After many requests, it is called once. */
export async function invalidateAfter(route: RouteKey, organization: number | undefined): Promise<void> {
  for (const listen of listeners) listen(route);
  const { dropped = [], refetched = [] } = INVALIDATES[route] ?? {};
  const within = (routes: readonly GetRoute[]) => (key: unknown) =>
    isKeyOf(key, ...routes) && key.organization === organization;
  await Promise.all([mutate(within(dropped), undefined), mutate(within(refetched))]);
}

/** Does not check the input, as the types of the calling hooks do. Asks first if emails may be sent. */
export async function uncheckedCall<K extends RouteKey>(route: K, input: object): Promise<Answer<K>> {
  const send = await askBefore(route, input);
  return send();
}

/** Asks first if a request may start sending; returns a function that makes the request. Throws if the user declines. */
export async function askBefore<K extends RouteKey>(
  route: K,
  input: object,
): Promise<() => Promise<Answer<K>>> {
  const send = () => (api as (route: K, input: object) => Promise<Answer<K>>)(route, input);
  if (!isAsked(route)) return send;
  const { confirmed } = await import('./dry-runs.ts');
  const say = await confirmed(route, input);
  return async () => {
    const answer = await send();
    say();
    return answer;
  };
}

/** Deletes all cached responses of an organization, so that none of its data is shown after a switch. */
export const forgetOrganization = (organization: number) =>
  // With revalidation, though nothing shows the responses any more: without it, a page that is shown again would wait for a
  // request in progress, whose response SWR drops.
  void mutate(key => isKeyWithin(key, organization), undefined);
