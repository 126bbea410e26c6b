import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

export const ROOT = join(import.meta.dirname, '../..');

// CommonJS packages inside an ESM bundle call require.
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** One entry file and all it imports, as the code of a function. */
export const codeOf = (entry: string) =>
  Code.fromAsset(join(ROOT, 'shared'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // Assets with equal options share one bundle, and `local` is not compared: without this all would be one.
      command: [entry],
      local: {
        tryBundle(directory) {
          bundle(entry, directory);
          return true;
        },
      },
    },
  });

function bundle(entry: string, directory: string): void {
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, entry)],
    // Not the directory it is written to, or the source map and the hash would depend on that.
    outfile: join(ROOT, 'index.mjs'),
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['@aws-sdk/*', '@smithy/*'],
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  for (const { path, contents } of outputFiles) writeFileSync(join(directory, basename(path)), contents);
}
