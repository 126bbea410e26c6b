import { defineConfig } from 'vitest/config';

// These replace what others in their process use, or run local stacks of other templates.
const APART = ['test/{bench,http,local}/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    // What functions log is theirs to show in the local stack, not among the results of tests.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    // A browser on a busy machine now and then takes longer than a test waits. What is not as expected is not tried again.
    retry: { count: 1, condition: /timed out in|Timeout \d+ms exceeded/ },
    maxWorkers: 2,
    projects: [
      { test: { name: 'apart', include: APART } },
      // Without isolation a worker keeps its modules from file to file, and with them one local stack, one browser and
      // the composed templates.
      {
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: APART,
          isolate: false,
          unstubGlobals: true,
        },
      },
    ],
  },
});
