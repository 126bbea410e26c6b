/** Of the projector: events go nowhere, and whatever cannot be counted fails the test. */
export const projecting = {
  publish: async () => {},
  uncounted: (what: string) => {
    throw new Error(`${what} cannot be counted`);
  },
};
