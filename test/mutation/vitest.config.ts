import { defineConfig } from 'vitest/config';

/** The tests of one room, for Stryker: without the projects of the other tests, and without their templates. */
export default defineConfig({
  test: {
    include: process.env.MUTATE_TESTS?.split(','),
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    isolate: false,
    unstubGlobals: true,
    testTimeout: 120_000,
  },
});
