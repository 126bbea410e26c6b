import useSWR from 'swr';
import type { RouteKey } from '#shared/routes.ts';
import type { CallInput } from './api.ts';
import { useOrganizationCall } from './data.ts';
import { useOrganization } from './organization.ts';
import { useDebounced, useElapsed } from './timers.ts';

/** While somebody types, and while a form opens, nothing is asked. */
const ASKED_AFTER_MS = 600;
const ONCE = { shouldRetryOnError: false, revalidateOnFocus: false };

/** The answer of a call that reads thousands of members, for the present input of a form. */
export function useQuestion<K extends RouteKey>(
  route: K,
  input: Omit<CallInput<K>, 'organization'> | undefined,
) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const wanted = input && JSON.stringify(input);
  const asked = useDebounced(wanted, ASKED_AFTER_MS);
  const isOpened = useElapsed(ASKED_AFTER_MS);
  return useSWR(
    isOpened && asked !== undefined && asked === wanted && [route, organization, asked],
    () => call(route, JSON.parse(String(asked))),
    ONCE,
  );
}
