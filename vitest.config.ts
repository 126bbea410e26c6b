import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { launchOptions } from './test/support/chromium.ts';
import { commands } from './test/support/components/commands.ts';
import { PROVE } from './test/support/prove.ts';
import { help } from './web/plugins/help.ts';

const isReplacing = (file: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8'));

/**
 * The files that run in one worker after another, which keeps its modules; only those that replace modules are isolated. A
 * file that matches several belongs to the first one.
 */
const PROJECTS = {
  // One local stack and one browser.
  stack: ['test/{api,journeys}/**/*.test.ts'],
  isolated: [
    'test/{background,sending,stream,tracking}/**/*.test.ts',
    ...globSync('test/**/*.test.ts').filter(isReplacing),
  ],
  // The handlers of the API, and their table in memory.
  handlers: ['test/http/**/*.test.ts'],
  // Local stacks of other templates, one after the other.
  local: ['test/{bench,local}/**/*.test.ts'],
  // Among other things, the composed templates.
  units: ['test/**/*.test.ts'],
};

/** What only a proof runs, beside what each run tries in part. */
const LEFT_OUT = PROVE ? [] : ['test/**/*.proof.test.ts'];

/** Files that take long. With them first, the workers end together. */
const LONG = /\/(first-minutes|looks\.proof|pages|purge|tenants)\.test\.ts$/;

/**
 * Shuffles the files, since none may depend on those that ran before it in its worker. `--sequence.seed` gives the order of
 * another run again.
 */
class Shuffled extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    this.ctx.logger.log(`The order of the files is that of --sequence.seed=${sequence.seed}`);
    const placeOf = ({ moduleId, project }: TestSpecification) => [
      // A worker of one project cannot go on with a file of another one.
      project.config.sequence.groupOrder,
      project.name,
      LONG.test(moduleId) ? 0 : 1,
      createHash('sha1')
        .update(`${sequence.seed} ${relative(root, moduleId)}`)
        .digest('hex'),
    ];
    const placed = files.map(file => ({ file, place: placeOf(file).join(' ') }));
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ file }) => file);
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

/** In a browser with a touch screen. It cannot be given to a page and taken away: the page is without any pointer then. */
const ON_TOUCH = ['test/components/touch.test.tsx'];

/** Each worker has a browser context of its own. */
const browserWith = (context: { hasTouch: boolean }) =>
  playwright({ launchOptions, contextOptions: { reducedMotion: 'reduce', ...context } });

type Instance = { name: string; include: string[]; exclude?: string[]; hasTouch?: boolean };

function components(
  name: string,
  isProduction: boolean,
  instances: Instance[],
): TestProjectInlineConfiguration {
  const define = {
    'process.env.NODE_ENV': JSON.stringify(isProduction ? 'production' : 'development'),
    'process.env.PROVE': JSON.stringify(PROVE ? '1' : ''),
  };
  return {
    // Beside that of the other one, so that neither bundles anew what the other has bundled.
    cacheDir: `node_modules/.vite-${name}`,
    define,
    plugins: [help()],
    oxc: { jsx: { runtime: 'automatic', development: !isProduction } },
    optimizeDeps: {
      include: [...PREBUNDLED, isProduction ? 'react/jsx-runtime' : 'react/jsx-dev-runtime'],
      noDiscovery: true,
      rolldownOptions: { transform: { define } },
    },
    test: {
      name,
      // After the others, whose workers need both cores. All that have this number run at the same time, with `maxWorkers`
      // pages together.
      sequence: { groupOrder: 1 },
      // While one waits for the browser, another one works.
      maxWorkers: 5,
      setupFiles: ['test/support/components/setup.ts'],
      // As above: the modules of web/src are loaded once per worker.
      isolate: false,
      unstubGlobals: true,
      restoreMocks: true,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        locators: { errorFormat: 'aria' },
        dependencySourcemaps: false,
        viewport: { width: 1440, height: 900 },
        provider: browserWith({ hasTouch: false }),
        commands,
        instances: instances.map(({ hasTouch = false, ...instance }) => ({
          browser: 'chromium',
          provider: browserWith({ hasTouch }),
          ...instance,
        })),
      },
    },
  };
}

export default defineConfig({
  test: {
    sequence: { sequencer: Shuffled },
    globalSetup: ['test/support/setup.ts'],
    // What functions log is theirs to show in the local stack, not among the results of tests.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    // These end what hangs. None is a time that a slow machine could need.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    maxWorkers: 3,
    projects: [
      ...Object.entries(PROJECTS).map(([name, include], place, all) => ({
        test: {
          name,
          include,
          exclude: [...LEFT_OUT, ...all.slice(0, place).flatMap(([, others]) => others)],
          isolate: name === 'isolated',
          unstubGlobals: true,
          env: name === 'handlers' ? { POWERTOOLS_LOG_LEVEL: 'INFO' } : {},
        },
      })),
      components('components', true, [
        { name: 'production', include: COMPONENTS, exclude: [...IN_DEVELOPMENT, ...ON_TOUCH] },
        { name: 'touch', include: ON_TOUCH, hasTouch: true },
      ]),
      components('development', false, [{ name: 'development', include: IN_DEVELOPMENT }]),
    ],
  },
});
