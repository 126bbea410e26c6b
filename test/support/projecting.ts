import { aliveCheck } from '#core/organization/organization.store.ts';

/** Options of the projector: events are dropped, and a change that cannot be counted fails the test. */
export const projecting = {
  aliveCheck,
  publish: async () => {},
  uncounted: (what: string) => {
    throw new Error(`${what} cannot be counted`);
  },
};
