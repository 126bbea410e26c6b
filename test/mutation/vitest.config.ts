import { defineConfig } from 'vitest/config';

/** The tests of one room, for Stryker: without the projects of the other tests, and without their templates. */
export default defineConfig({
  test: {
    include: process.env.MUTATE_TESTS?.split(','),
    // What the handlers log is checked after their tests.
    env: { POWERTOOLS_LOG_LEVEL: 'INFO' },
    isolate: false,
    unstubGlobals: true,
    testTimeout: 120_000,
  },
});
