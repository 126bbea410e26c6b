import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

export const ROOT = join(import.meta.dirname, '../..');

// CommonJS packages in an ESM bundle call require.
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

// The SDK imports these only if the environment has no credentials. That of a function always has them.
const OTHER_CREDENTIALS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** The code of a function: one entry file bundled with all its imports, the AWS SDK included. */
export const codeOf = (entry: string) =>
  Code.fromAsset(join(ROOT, 'shared'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // CDK caches bundles by their options, but does not compare `local`. The command makes the options differ.
      command: [entry],
      local: {
        tryBundle(directory) {
          for (const [file, contents] of bundleOf(entry)) writeFileSync(join(directory, file), contents);
          return true;
        },
      },
    },
  });

type Bundle = [file: string, contents: Uint8Array][];

let bundles: Map<string, Bundle> | undefined;

function bundleOf(entry: string): Bundle {
  bundles ??= bundleAll();
  const bundle = bundles.get(entry);
  if (bundle) return bundle;
  throw new Error(`${entry} exports no handler`);
}

/** Bundles all entry files in one build, which reads each module once. */
function bundleAll(): Map<string, Bundle> {
  const entries = globSync('functions/**/*.ts', { cwd: ROOT }).filter(hasHandler).sort();
  const { outputFiles } = buildSync({
    // Relative to a fixed directory: otherwise source map and hash would depend on the output directory.
    entryPoints: entries.map((entry, index) => ({ in: join(ROOT, entry), out: String(index) })),
    outdir: ROOT,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: OTHER_CREDENTIALS,
    // MJML parses with it alone; the whole package also fetches pages.
    alias: { cheerio: 'cheerio/slim' },
    banner: { js: REQUIRE },
    // Identifiers are not minified, as the SDK uses the names of some classes.
    minifySyntax: true,
    minifyWhitespace: true,
    // functions/platform/log.ts reads the source map, which lies beside the code.
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
  });
  const contentsOf = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  return new Map(
    entries.map((entry, index) => {
      const of = (extension: string): Bundle[number] => {
        const contents = contentsOf.get(join(ROOT, `${index}${extension}`));
        if (!contents) throw new Error(`There is no bundle of ${entry}`);
        return [`index${extension}`, contents];
      };
      return [entry, [of('.mjs'), of('.mjs.map')]];
    }),
  );
}

const hasHandler = (file: string) =>
  /^export (const|async function) handler\b/m.test(readFileSync(join(ROOT, file), 'utf8'));
