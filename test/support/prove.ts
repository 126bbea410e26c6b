/**
 * `npm run prove` sets this: the tests that import it then try everything instead of a sample. They run before a release,
 * `npm test` with each change.
 */
export const PROVE = process.env.PROVE === '1';

/** How much of something a test tries: in each run, and in a proof. */
export const extent = <T>(daily: T, proved: T): T => (PROVE ? proved : daily);
