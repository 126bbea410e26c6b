import * as z from 'zod/mini';
import { KILLS } from '../functions/killer.ts';
import { AccountInput } from '../ses/account.ts';

export const FAULTS = ['ok', '429', '500', '401', 'drop_after_accept', 'refuse'] as const;

export const FaultsInput = z.strictObject({
  provider: z._default(z.enum(FAULTS), 'ok'),
  rate: z._default(z.number().check(z.minimum(0), z.maximum(1)), 1),
  kill: z._default(z.nullable(z.enum(KILLS)), null),
  /** Whose calls: of both providers, if it names none. */
  of: z.optional(z.enum(['mailgun', 'ses'])),
  account: z.optional(AccountInput),
});
export type Faults = { provider: (typeof FAULTS)[number]; rate: number };

export const NO_FAULTS: Faults = { provider: 'ok', rate: 1 };
export const refusesAll = ({ provider, rate }: Faults) => provider === 'refuse' && rate === 1;

export type FaultInjection = ReturnType<typeof createFaultInjection>;

/** A fault happens to a share of the calls, evenly spread and deterministic: at a rate of 0.25, to every fourth call. */
export function createFaultInjection() {
  let faults = NO_FAULTS;
  let calls = 0;
  return {
    set(next: Faults) {
      faults = next;
      calls = 0;
    },
    refusesAll: () => refusesAll(faults),
    /** Returns which of these faults, if any, happens to the present call. Each question counts as a call. */
    next(...providers: Faults['provider'][]) {
      if (!providers.includes(faults.provider)) return undefined;
      calls += 1;
      const due = (count: number) => Math.floor(count * faults.rate + 1e-9);
      return due(calls) > due(calls - 1) ? faults.provider : undefined;
    },
  };
}
