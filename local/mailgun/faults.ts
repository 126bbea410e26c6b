import * as z from 'zod/mini';

export const FAULTS = ['ok', '429', '500', '401', 'drop_after_accept', 'refuse'] as const;

export const FaultsInput = z.strictObject({
  provider: z._default(z.enum(FAULTS), 'ok'),
  rate: z._default(z.number().check(z.minimum(0), z.maximum(1)), 1),
  // Ending a function on its way comes with functions that send.
  kill: z.optional(z.null()),
});
export type Faults = { provider: (typeof FAULTS)[number]; rate: number };

export type Troubles = {
  set: (faults: Faults) => void;
  /** Nothing listens at all. */
  isDown: () => boolean;
  /** Whether this is one of the share of calls that goes wrong in this way. Each question counts as a call. */
  strikes: (...providers: Faults['provider'][]) => Faults['provider'] | undefined;
  /** Whether each call has to come over a connection of its own. */
  perConnection: () => boolean;
};

/** A share of the calls goes wrong, evenly spread and each time the same: of four calls at 0.25 the fourth. */
export function createTroubles(): Troubles {
  let faults: Faults = { provider: 'ok', rate: 1 };
  let calls = 0;
  return {
    set(next) {
      faults = next;
      calls = 0;
    },
    isDown: () => faults.provider === 'refuse' && faults.rate === 1,
    strikes(...providers) {
      if (!providers.includes(faults.provider)) return undefined;
      calls += 1;
      const due = (count: number) => Math.floor(count * faults.rate + 1e-9);
      return due(calls) > due(calls - 1) ? faults.provider : undefined;
    },
    perConnection: () => faults.provider === 'refuse',
  };
}
