import { useCallback } from 'react';
import useSWR, { mutate, type SWRConfiguration, type SWRResponse } from 'swr';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { api, type CallInput, type OptionalInput } from './api.ts';
import { type CacheKey, cacheKey, type GetRoute, isKeyOf, isKeyWithin } from './cache-key.ts';
import { hasDryRun } from './confirmation.ts';
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
  const interval = options?.refreshInterval;
  // A new function each time: SWR would not ask the same one again after a 0, which is the answer before there is data.
  const refreshInterval =
    typeof interval === 'function' ? (data: Answer<K> | undefined) => interval(data) : interval;
  return useSWR<Answer<K>>(
    key,
    options?.fetcher ??
      (() =>
        takePreloaded(key as CacheKey<K>) ?? callWithConfirmation(route as K, { ...input, organization })),
    { ...options, refreshInterval },
  );
}

const preloaded = new Map<string, Promise<unknown>>();
onReset(() => preloaded.clear());
/** After this time, a preloaded response is stale. */
const PRELOADED_FOR = 30_000;

/** Starts the first request of a page before its code is there. If it fails, the page makes its own; but a 404 is kept. */
export function preload<K extends GetRoute>(route: K, input: CallInput<K> | undefined, organization: number) {
  const key = JSON.stringify(cacheKey(route, input, organization));
  const forget = () => preloaded.delete(key);
  const answer = callWithConfirmation(route, { ...input, organization, isRefusalExpected: true });
  preloaded.set(key, answer);
  answer.catch(problem => isMissing(problem) || forget());
  setTimeout(forget, PRELOADED_FOR);
}

function takePreloaded<K extends GetRoute>(cached: CacheKey<K>) {
  const key = JSON.stringify(cached);
  const answer = preloaded.get(key) as Promise<Answer<K>> | undefined;
  preloaded.delete(key);
  return answer;
}

export function useCachedData<K extends GetRoute>(route: K | undefined, ...[input]: OptionalInput<K>) {
  const organization = useOrganization()?.id;
  return useSWR<Answer<K>>(route && cacheKey(route, input, organization), null).data;
}

/** Whether what `keepPreviousData` shows answers another request, also once this one has failed. */
export const useIsOther = <K extends GetRoute>(route: K | undefined, ...input: OptionalInput<K>) =>
  useCachedData(route, ...input) === undefined && route !== undefined;

export const revalidate = (...routes: GetRoute[]) => mutate(key => isKeyOf(key, ...routes));

/** Requests a route within the organization that was active when the component was rendered. */
export function useOrganizationCall() {
  const organization = useOrganization()?.id;
  return useCallback(
    <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) =>
      callWithConfirmation(route, { ...input, organization }),
    [organization],
  );
}

/** Like `useOrganizationCall`, for requests that change something: revalidates what they make stale. */
export function useOrganizationChange() {
  const organization = useOrganization()?.id;
  return useCallback(
    async <K extends RouteKey>(route: K, input: Omit<CallInput<K>, 'organization'>) => {
      const answer = await callWithConfirmation(route, { ...input, organization });
      void invalidateAfter(route, organization);
      return answer;
    },
    [organization],
  );
}

const listeners = new Set<(route: RouteKey) => void>();

export const onChange = (listen: (route: RouteKey) => void) => listeners.add(listen);

/** Revalidates what a request has made stale. After many requests, it is called once. */
export async function invalidateAfter(route: RouteKey, organization: number | undefined): Promise<void> {
  for (const listen of listeners) listen(route);
  const { dropped = [], refetched = [] } = INVALIDATES[route] ?? {};
  const within = (routes: readonly GetRoute[]) => (key: unknown) =>
    isKeyOf(key, ...routes) && key.organization === organization;
  await Promise.all([mutate(within(dropped), undefined), mutate(within(refetched))]);
}

/** Has the user confirm first if emails may be sent. Does not check the input, as the types of the calling hooks do. */
export async function callWithConfirmation<K extends RouteKey>(route: K, input: object): Promise<Answer<K>> {
  const send = await confirmCall(route, input);
  return send();
}

/** Has the user confirm if a call may start sending; returns a function that makes it. Throws `Cancelled` if they do not. */
export async function confirmCall<K extends RouteKey>(
  route: K,
  input: object,
): Promise<() => Promise<Answer<K>>> {
  const send = (input: object) => (api as (route: K, input: object) => Promise<Answer<K>>)(route, input);
  if (!hasDryRun(route)) return () => send(input);
  const { confirmByDryRun } = await import('./dry-run.ts');
  const { say, more } = await confirmByDryRun(route, input);
  return async () => {
    const answer = await send({ ...input, ...more });
    say();
    return answer;
  };
}

/** Deletes all cached responses of an organization, so that none of its data is shown after a switch. */
export const forgetOrganization = (organization: number) =>
  // With revalidation, though nothing shows the responses any more: without it, a page that is shown again would wait for a
  // request in progress, whose response SWR drops.
  void mutate(key => isKeyWithin(key, organization), undefined);
