import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { chunks } from './chunks.ts';
import { sizeReport } from './sizes.ts';

const web = import.meta.dirname;
const dist = join(web, '../dist');
const html = (name: string) => join(web, `${name}.html`);

const site: InlineConfig = {
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
