import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; imports?: string[]; isEntry?: boolean; isDynamicEntry?: boolean };

const DIST = join(import.meta.dirname, '../dist');
const KB = 1024;

/**
 * In KB of gzipped JavaScript: /login, what every page of the app loads, the whole of one page, and a part on demand. And how many
 * files a page needs before it can be used.
 */
export const BUDGETS = { login: 120, base: 200, page: 220, part: 66, files: 15 };

/** Bytes by the name of a package. */
export type PackageSizes = Record<string, number>;

/** The package of a module; our own code has none, and is ours. */
export const packageOf = (id: string) =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ??
  (id.startsWith('\0') ? 'the bundler' : 'Letterflow');

/** What the built web app loads: KB of gzipped JavaScript before a page can be used, and for each part on demand. */
export function measureSizes() {
  const manifest = readJson<Record<string, Chunk>>('web-manifest.json');
  const contents = readJson<Record<string, PackageSizes>>('web-contents.json');
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
  const isPage = (name: string) => /(-page|access-control)\.tsx$/.test(name);
  const sized = (names: string[], size: (name: string) => number) =>
    Object.fromEntries(names.map(name => [name.replace('src/', ''), size(name)]));
  return {
    base: kb(app),
    packages: packagesOf(app, contents, file => kb([file])),
    login: kb(scriptsOf('login.html')),
    pages: sized(loadedLater.filter(isPage), name => kb(scriptsOf('app.html', name))),
    files: sized(loadedLater.filter(isPage), name => scriptsOf('app.html', name).size),
    parts: sized(
      loadedLater.filter(name => !isPage(name)),
      name => kb([...scriptsOf(name)].filter(file => !app.has(file))),
    ),
  };
}

const readJson = <Content>(name: string): Content => JSON.parse(readFileSync(join(DIST, name), 'utf8'));

/**
 * What files consist of, the largest package first. A file is compressed as a whole: a package counts by its share of the code
 * before it is minified.
 */
function packagesOf(
  files: Iterable<string>,
  contents: Record<string, PackageSizes>,
  sizeOf: (file: string) => number,
): [name: string, size: number][] {
  const sizes = new Map<string, number>();
  for (const file of files) {
    const packages = Object.entries(contents[file] ?? {});
    const whole = packages.reduce((sum, [, size]) => sum + size, 0);
    for (const [name, size] of packages) {
      sizes.set(name, (sizes.get(name) ?? 0) + (size / whole) * sizeOf(file));
    }
  }
  return [...sizes].sort(([, a], [, b]) => b - a);
}

/** Smaller packages are one line of the report. */
const SMALL = 1;

/** The sizes as lines of text, each beside its budget. */
export function sizeReport(): string {
  const { login, base, packages, pages, files, parts } = measureSizes();
  const large = packages.filter(([, size]) => size >= SMALL);
  const rest = packages.filter(([, size]) => size < SMALL).reduce((sum, [, size]) => sum + size, 0);
  const line = (name: string, size: number, budget: number) =>
    `${size.toFixed(1).padStart(6)} of ${String(budget).padStart(3)} KB  ${name}`;
  return [
    line('login', login, BUDGETS.login),
    line('the base of every page', base, BUDGETS.base),
    ...[...large, ['smaller packages', rest] as const].map(
      ([name, size]) => `${size.toFixed(1).padStart(6)}            ${name}`,
    ),
    ...Object.entries(pages).map(
      ([name, size]) => `${line(name, size, BUDGETS.page)} in ${files[name]} files`,
    ),
    ...Object.entries(parts).map(([name, size]) => line(`on demand: ${name}`, size, BUDGETS.part)),
  ].join('\n');
}
