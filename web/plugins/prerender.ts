import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { type Plugin, runnerImport } from 'vite';
import { PRODUCT } from '#shared/brand.ts';

type Prerendered = { prerendered: (page: string) => string };

const SOURCE = join(import.meta.dirname, '../src/app/prerendered.tsx');
const PLACEHOLDER = '<!--prerendered-->';

/** Renders the static pages, and /login as it is before hydration, into their HTML files. */
export function prerender(): Plugin {
  const sources = new Set<string>();
  return {
    name: 'prerender',
    configureServer(server) {
      server.watcher.on('change', file => sources.has(file) && server.ws.send({ type: 'full-reload' }));
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(template, { filename }) {
        const html = template.replaceAll('%PRODUCT%', PRODUCT);
        if (!html.includes(PLACEHOLDER)) return html;
        const { module, dependencies } = await runnerImport<Prerendered>(SOURCE, {
          configFile: false,
          logLevel: 'error',
          plugins: [react()],
        });
        for (const path of [SOURCE, ...dependencies]) sources.add(path);
        return html.replace(PLACEHOLDER, () => module.prerendered(basename(filename, '.html')));
      },
    },
  };
}
