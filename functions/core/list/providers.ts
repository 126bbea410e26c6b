import { DEFAULT_PROVIDER, needsKey, type ProviderName } from '#shared/providers.ts';
import { MINUTE } from '#shared/time.ts';
import type { Failing, StoredList } from './list.store.ts';

export const providerOf = ({ provider = DEFAULT_PROVIDER }: StoredList): ProviderName => provider;

/** The first one, and the one that takes what the first one certainly did not send. */
export const providersOf = (list: StoredList): ProviderName[] =>
  list.second_provider ? [providerOf(list), list.second_provider] : [providerOf(list)];

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

/** A provider that throttles for longer is left for the second one. */
const LONGEST_THROTTLING = 15 * MINUTE;
/** How often a provider that fails is tried again. */
const NEXT_TRY = 15 * MINUTE;

/** Which provider takes emails of the list now; else until when none does. */
export function providerNow(list: StoredList, now: Date): { provider: ProviderName } | { until: Date } {
  const first = providerOf(list);
  const second = isLeft(list, now) ? secondOf(list) : undefined;
  const until = second
    ? later(list.second_paused_until, now)
    : isDenied(list, first)
      ? new Date(now.getTime() + NEXT_TRY)
      : later(list.paused_until, now);
  return until ? { until } : { provider: second ?? first };
}

/** Whether what the first provider would have to send goes to the second one. */
function isLeft(list: StoredList, now: Date): boolean {
  const { failing } = list;
  if (isDenied(list, providerOf(list))) return true;
  if (!failing || now.getTime() - Date.parse(failing.tried_at) >= NEXT_TRY) return false;
  return failing.reason !== 'throttled' || now.getTime() - Date.parse(failing.since) >= LONGEST_THROTTLING;
}

function later(until: string | undefined, now: Date): Date | undefined {
  const instant = until === undefined ? undefined : new Date(until);
  return instant && instant > now ? instant : undefined;
}

/** What a provider that sent nothing is remembered for. Long ago is another failure. */
export function failingSince({ failing }: StoredList, reason: Failing['reason'], now: Date): Failing {
  const isSame = failing && now.getTime() - Date.parse(failing.tried_at) < 2 * NEXT_TRY;
  const tried_at = now.toISOString();
  return { reason, since: isSame ? failing.since : tried_at, tried_at };
}
