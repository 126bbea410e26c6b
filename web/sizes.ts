import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; imports?: string[]; isEntry?: boolean; isDynamicEntry?: boolean };

const DIST = join(import.meta.dirname, '../dist');
const KB = 1024;

/** What the design allows, in KB of gzipped JavaScript. */
export const BUDGETS = { login: 120, page: 220, part: 60 };

/** What the built web app loads: KB of gzipped JavaScript before a page can be used, and for each part on demand. */
export function measureSizes() {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(DIST, 'web-manifest.json'), 'utf8'));
  /** The scripts that an entry needs before it runs: its own and all that it imports. */
  function scriptsOf(...names: string[]): Set<string> {
    const found = new Set<string>();
    const add = (name: string) => {
      const chunk = manifest[name];
      if (!chunk) throw new Error(`${name} is not in the manifest.`);
      if (found.has(chunk.file)) return;
      found.add(chunk.file);
      for (const imported of chunk.imports ?? []) add(imported);
    };
    for (const name of names) add(name);
    return found;
  }
  const kb = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, 'web', file))).length, 0) / KB;

  const app = scriptsOf('app.html');
  const loadedLater = Object.keys(manifest).filter(name => manifest[name]?.isDynamicEntry);
  const isPage = (name: string) => /(-page|access-control|signed-in-home)\.tsx$/.test(name);
  const sized = (names: string[], size: (name: string) => number) =>
    Object.fromEntries(names.map(name => [name.replace('src/', ''), size(name)]));
  return {
    login: kb(scriptsOf('login.html')),
    pages: sized(loadedLater.filter(isPage), name => kb(scriptsOf('app.html', name))),
    parts: sized(
      loadedLater.filter(name => !isPage(name)),
      name => kb([...scriptsOf(name)].filter(file => !app.has(file))),
    ),
  };
}

/** The sizes as lines of text, each beside its budget. */
export function sizeReport(): string {
  const { login, pages, parts } = measureSizes();
  const line = (name: string, size: number, budget: number) =>
    `${size.toFixed(1).padStart(6)} of ${String(budget).padStart(3)} KB  ${name}`;
  return [
    line('login', login, BUDGETS.login),
    ...Object.entries(pages).map(([name, size]) => line(name, size, BUDGETS.page)),
    ...Object.entries(parts).map(([name, size]) => line(`on demand: ${name}`, size, BUDGETS.part)),
  ].join('\n');
}
