import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Answerer, Front, Raw } from './front.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** A change in one of these directories triggers a new deployment. Vite serves the pages. */
const WATCHED = ['functions', 'shared', 'lib', 'bin'];
const SETTLED_AFTER = 100;

/** Calls `rebuild` after edits. Calls do not overlap; edits during a call lead to one more. */
export function watchSources(rebuild: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let building = false;
  let stale = false;

  async function run(): Promise<void> {
    if (building) {
      stale = true;
      return;
    }
    building = true;
    await rebuild();
    building = false;
    if (!stale) return;
    stale = false;
    await run();
  }

  const watchers: FSWatcher[] = WATCHED.map(name => join(ROOT, name))
    .filter(existsSync)
    .map(directory =>
      watch(directory, { recursive: true }, () => {
        clearTimeout(timer);
        timer = setTimeout(run, SETTLED_AFTER);
      }),
    );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

type PageServer = {
  /** Handles the paths of pages. */
  answererFor: (isPage: (path: string) => boolean) => Answerer;
  close: () => Promise<void>;
};

/** Serves the web app from its sources with hot reload. */
export async function servePageSources({ server }: Front): Promise<PageServer> {
  // Imported late: vite takes long to load, and npm start does not need it.
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: join(ROOT, 'web/vite.config.ts'),
    server: { middlewareMode: true, ws: { server } },
    clearScreen: false,
    logLevel: 'warn',
  });
  const serve = ({ incoming, response }: Raw) =>
    new Promise<void>((done, failed) => {
      response.on('close', done);
      vite.middlewares(incoming, response, (error: unknown) => {
        if (error) failed(error);
        else
          response
            .writeHead(404, { 'content-type': 'text/plain' })
            .end('404 Not Found: there is no such page\n');
      });
    });
  return {
    answererFor: isPage => async (request, raw) => {
      if (isPage(request.path)) await serve(raw);
      return undefined;
    },
    close: () => vite.close(),
  };
}
