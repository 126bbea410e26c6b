import type { Table } from '#core/storage/table.store.ts';
import { needsKey, type ProviderName, providerOf, providersOf } from '#shared/providers.ts';
import { MINUTE } from '#shared/time.ts';
import type { Failing, StoredList } from './list.store.ts';
import * as store from './list.store.ts';

const LACKS = ['no_key', 'not_verified'] as const;
export type Lack = (typeof LACKS)[number];

export const isLack = (reason: string | undefined): reason is Lack =>
  (LACKS as readonly (string | undefined)[]).includes(reason);

function lackFor({ sending_key, is_verified }: StoredList, provider: ProviderName): Lack | undefined {
  if (needsKey(provider)) return sending_key ? undefined : 'no_key';
  return is_verified ? undefined : 'not_verified';
}

/** Why nothing is sent through the provider of a list. */
export const lackOf = (list: StoredList): Lack | undefined => lackFor(list, providerOf(list));

/** Its key is not taken. */
const isDenied = ({ connection }: StoredList, provider: ProviderName) =>
  needsKey(provider) && connection?.valid === false;

export const isKeyRefused = (list: StoredList) =>
  list.sending_key !== undefined && providersOf(list).some(provider => isDenied(list, provider));

const secondOf = (list: StoredList): ProviderName | undefined => {
  const [, second] = providersOf(list);
  return second && !lackFor(list, second) && !isDenied(list, second) ? second : undefined;
};

/** Nothing is sent until its key is replaced. */
export const isRefused = (list: StoredList) =>
  !lackOf(list) && isDenied(list, providerOf(list)) && !secondOf(list);

/** The second provider takes over from one that throttles for longer. */
const LONGEST_THROTTLING = 15 * MINUTE;
/** How often a provider that fails is tried again. */
export const NEXT_TRY = 15 * MINUTE;

/** Which provider takes emails of the list now; else until when none does. */
export function providerNow(list: StoredList, now: Date): { provider: ProviderName } | { until: Date } {
  const second = usesSecond(list, now) ? secondOf(list) : undefined;
  const provider = second ?? providerOf(list);
  const until = refusesUntil(list, provider, now);
  return until ? { until } : { provider };
}

/** Until when one of its providers takes no emails: it throttles the list, or its key is denied. */
export function refusesUntil(list: StoredList, provider: ProviderName, now: Date): Date | undefined {
  if (isDenied(list, provider)) return new Date(now.getTime() + NEXT_TRY);
  return later(provider === providerOf(list) ? list.paused_until : list.second_paused_until, now);
}

/** Whether emails go to the second provider, if there is one that can send. */
function usesSecond(list: StoredList, now: Date): boolean {
  const { failing, paused_until } = list;
  if (isDenied(list, providerOf(list))) return true;
  if (!failing) return false;
  const isTriedAgain = now.getTime() - Date.parse(failing.tried_at) >= NEXT_TRY && !later(paused_until, now);
  if (isTriedAgain) return false;
  return failing.reason !== 'throttled' || now.getTime() - Date.parse(failing.since) >= LONGEST_THROTTLING;
}

function later(until: string | undefined, now: Date): Date | undefined {
  const instant = until === undefined ? undefined : new Date(until);
  return instant && instant > now ? instant : undefined;
}

/** What is known of a first provider that fails. After a long time without a try, it counts as another failure. */
function failingSince({ failing }: StoredList, reason: Failing['reason'], now: Date): Failing {
  const isSame = failing && now.getTime() - Date.parse(failing.tried_at) < 2 * NEXT_TRY;
  const tried_at = now.toISOString();
  return { reason, since: isSame ? failing.since : tried_at, tried_at };
}

/** Whether the second provider takes over from a first one that has just failed so. */
export const takesOver = (list: StoredList, reason: Failing['reason'], now: Date): boolean =>
  secondOf(list) !== undefined && usesSecond({ ...list, failing: failingSince(list, reason, now) }, now);

// What was learned of a provider does not count for one that was chosen meanwhile.
const SAME_PROVIDERS = ['provider', 'second_provider'] as const;

/** Notes that the first provider has sent nothing. Undefined if the list has other providers by now. */
export const noteFailing = (
  table: Table,
  list: StoredList,
  reason: Failing['reason'],
  now: Date,
): Promise<StoredList | undefined> =>
  store.change(table, list, {
    set: { failing: failingSince(list, reason, now) },
    provided: [...SAME_PROVIDERS],
  });

export const noteSending = (table: Table, list: StoredList): Promise<StoredList | undefined> =>
  store.change(table, list, { drop: ['failing'], provided: [...SAME_PROVIDERS] });
