import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { chunks } from './chunks.ts';
import { type PackageSizes, packageOf, sizeReport } from './sizes.ts';

const web = import.meta.dirname;
const dist = join(web, '../dist');
const html = (name: string) => join(web, `${name}.html`);

/** Writes down what each file consists of, which the manifest does not say. */
const contents: Plugin = {
  name: 'contents',
  async writeBundle(_, bundle) {
    const files: Record<string, PackageSizes> = {};
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const sizes: PackageSizes = {};
      for (const [id, { renderedLength }] of Object.entries(file.modules)) {
        const name = packageOf(id);
        sizes[name] = (sizes[name] ?? 0) + renderedLength;
      }
      files[file.fileName] = sizes;
    }
    await writeFile(join(dist, 'web-contents.json'), JSON.stringify(files));
  },
};

const site: InlineConfig = {
  plugins: [contents],
  build: {
    outDir: join(dist, 'web'),
    manifest: true,
    rolldownOptions: {
      input: ['index', 'login', 'app', 'terms-and-conditions', 'privacy-policy'].map(html),
      output: { codeSplitting: chunks },
    },
  },
};

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', ...site });
// The sizes are read from the manifest, which is not deployed.
await rename(join(dist, 'web/.vite/manifest.json'), join(dist, 'web-manifest.json'));
await rm(join(dist, 'web/.vite'), { recursive: true });
// biome-ignore lint/suspicious/noConsole: the sizes are what one wants to see of a build
if (!process.argv.includes('--quiet')) console.log(sizeReport());
