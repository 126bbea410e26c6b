import { useCallback } from 'react';
import useSWR, { mutate, type SWRConfiguration, type SWRResponse } from 'swr';
import type { Answer, RouteKey } from '../../../shared/routes.ts';
import { api, type CallInput, type OptionalInput } from './api.ts';
import { isAsked } from './asked-routes.ts';
import { type CacheKey, cacheKey, type GetRoute, isKeyOf, isKeyWithin } from './cache-key.ts';
import { INVALIDATES } from './invalidation.ts';
import { useOrganization } from './organization.ts';
import { isMissing } from './problem.ts';

/** The response of a GET route that does not depend on the active organization; `options.fetcher` replaces the request. */
export function usePersonalData<K extends GetRoute>(
  route: K | undefined,
  ...given: [...input: OptionalInput<K>, options?: SWRConfiguration<Answer<K>>]
): SWRResponse<Answer<K>> {
  return useResponse(route, undefined, given);
}

/** The response of a GET route within the active organization; no request while none is active. */
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
/** Later, an answer may be out of date. */
const EARLY_FOR = 30_000;

/** Makes the first request of a page before the page is there. Where it fails, the page makes its own; what is missing, is. */
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

/** The cached response of a GET route within the active organization, if there is one, without a request. */
export const useCachedData = <K extends GetRoute>(route: K, ...[input]: OptionalInput<K>) =>
  useSWR<Answer<K>>(cacheKey(route, input, useOrganization()?.id), null).data;

/** Fetches the responses of these routes again that are shown. */
export const revalidate = (...routes: GetRoute[]) => mutate(key => isKeyOf(key, ...routes));

/** Calls a route within the active organization, which stays the one that was active when the component was rendered. */
export function useOrganizationCall() {
  const organization = useOrganization()?.id;
  return useCallback(
    <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) =>
      uncheckedCall(route, { ...input, organization }),
    [organization],
  );
}

/** The same, for a call that changes something: what it makes stale is fetched again. */
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

/** Calls `listen` after each change of what is stored, with its route. */
export const onChange = (listen: (route: RouteKey) => void) => listeners.add(listen);

/** Fetches again what a call has made stale: once, after many of them. */
export async function invalidateAfter(route: RouteKey, organization: number | undefined): Promise<void> {
  for (const listen of listeners) listen(route);
  const { dropped = [], refetched = [] } = INVALIDATES[route] ?? {};
  const within = (routes: readonly GetRoute[]) => (key: unknown) =>
    isKeyOf(key, ...routes) && key.organization === organization;
  await Promise.all([mutate(within(dropped), undefined), mutate(within(refetched))]);
}

/** Only passes the input on: the types of the hooks that call it check it. Where mail may begin to flow, it asks first. */
export async function uncheckedCall<K extends RouteKey>(route: K, input: object): Promise<Answer<K>> {
  const send = await askBefore(route, input);
  return send();
}

/** Asks where a call may begin to send, and answers what makes it. Where the user declines, it throws. */
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
  // With SWR's revalidation, though nothing shows them any more: without it, a page that comes back would wait for a request
  // that is under way, whose answer SWR drops.
  void mutate(key => isKeyWithin(key, organization), undefined);
