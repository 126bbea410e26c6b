import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { launchOptions } from './test/support/chromium.ts';
import { commands } from './test/support/components/commands.ts';

// These replace what others in their process use, or run local stacks of other templates.
const APART = ['test/{bench,http,local}/**/*.test.ts'];

/** Small files that take long. Without the times of a run before, vitest begins with the largest files. */
const LONG = /\/(looks|pages|simulation|agreement|tenants)\.test\.ts$/;

/** With the long ones first, the workers end together. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

/**
 * What web/src and the tests import of packages. Bundled when a run begins: a package that is found later would be bundled then, and with it
 * another React loaded beside the first one.
 */
const PREBUNDLED = [
  'papaparse',
  'react',
  'react-dom',
  'react-dom/client',
  'react-router',
  'react-router/dom',
  'swr',
  '@chakra-ui/react',
  'lucide-react',
  'react-hook-form',
  '@hookform/resolvers/zod',
  'zod/mini',
  'dompurify',
  'markdown-it',
  'axe-core',
];

const COMPONENTS = ['test/components/**/*.test.tsx'];

/**
 * With React's build for development, which logs what is wrong in any component: keys that are missing, elements nested as
 * they must not be. It takes half as long again as the one that is deployed, with which all others run.
 */
const IN_DEVELOPMENT = ['test/components/{dialogs,form,menu,tables,tokens,trouble}.test.tsx'];

type Of = { include: string[]; exclude?: string[]; isProduction: boolean };

function components(
  name: string,
  { include, exclude = [], isProduction }: Of,
): TestProjectInlineConfiguration {
  const define = { 'process.env.NODE_ENV': JSON.stringify(isProduction ? 'production' : 'development') };
  return {
    // Beside that of the other one, so that neither bundles anew what the other has bundled.
    cacheDir: `node_modules/.vite-${name}`,
    define,
    oxc: { jsx: { runtime: 'automatic', development: !isProduction } },
    optimizeDeps: {
      include: [...PREBUNDLED, isProduction ? 'react/jsx-runtime' : 'react/jsx-dev-runtime'],
      noDiscovery: true,
      rolldownOptions: { transform: { define } },
    },
    test: {
      name,
      // After the others, whose workers need both cores.
      sequence: { groupOrder: 1 },
      // While one waits for the browser, another one works.
      maxWorkers: 5,
      include,
      exclude,
      setupFiles: ['test/support/components/setup.ts'],
      // As above: the modules of web/src are loaded once per worker.
      isolate: false,
      unstubGlobals: true,
      restoreMocks: true,
      testTimeout: 20_000,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        locators: { errorFormat: 'aria' },
        dependencySourcemaps: false,
        viewport: { width: 1440, height: 900 },
        provider: playwright({
          launchOptions,
          contextOptions: { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
        }),
        commands,
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/support/setup.ts'],
    // What functions log is theirs to show in the local stack, not among the results of tests.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    // A browser on a busy machine now and then takes longer than a test waits. What is not as expected is not tried again.
    retry: { count: 1, condition: /timed out in|Timeout \d+ms exceeded/ },
    maxWorkers: 3,
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
      components('components', { include: COMPONENTS, exclude: IN_DEVELOPMENT, isProduction: true }),
      components('development', { include: IN_DEVELOPMENT, isProduction: false }),
    ],
  },
});
