import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const LOGIN = join(import.meta.dirname, 'login.html');
const PAGES = globSync(join(import.meta.dirname, 'src/**/*-page.tsx'));
/** About a quarter of the pages and parts: packages that fewer share are loaded with them. */
const MANY = 36;
/** As many pages as share what each of them loads. */
const FEW = 4;
const SCHEMAS = /node_modules[\\/]zod[\\/]/;
const OF_FORMS = /node_modules[\\/](zod|react-hook-form|@hookform)[\\/]/;
const OF_CONTROLS = /node_modules[\\/]@zag-js[\\/](dom-query|utils)[\\/]/;
/** Ours, and icons: packages import all of themselves until they are shaken. */
const OURS = /[\\/]lucide-react[\\/]|^(?!.*node_modules)/;

/**
 * What pages share is in a few files: without them it would be in one for each set of pages that share something, and a
 * page would ask for up to 48. The first file holds what /login needs, which is to load little; two hold what only
 * forms need, which are loaded on demand, and zod, which little else needs; one what all controls of a package need;
 * the others what the app loads with its first page.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: ofLogin, debugName: 'base', minShareCount: 2, priority: 4 },
    { name: 'schemas', test: SCHEMAS, minShareCount: 2, priority: 4 },
    { name: 'forms', test: OF_FORMS, minShareCount: 2, priority: 3 },
    { name: ofApp, debugName: 'core', minShareCount: MANY, priority: 2 },
    { name: 'controls', test: OF_CONTROLS, minShareCount: 2, priority: 1 },
    { name: ofPages, debugName: 'pages', minShareCount: 2 },
  ],
};

let needed: Set<string> | undefined;

function ofLogin(id: string, modules: Modules): string | null {
  needed ??= withImports(LOGIN, modules);
  return needed.has(id) ? 'base' : null;
}

const isOfForms = (id: string, modules: Modules) =>
  [...withImports(id, modules)].some(imported => OF_FORMS.test(imported));

function ofApp(id: string, modules: Modules): string | null {
  return isOfForms(id, modules) ? null : 'core';
}

let pages: Set<string>[] | undefined;

function ofPages(id: string, modules: Modules): string | null {
  if (!OURS.test(id)) return null;
  pages ??= PAGES.map(page => withImports(page, modules));
  const isShared = pages.filter(page => page.has(id)).length >= FEW;
  return isShared && !isOfForms(id, modules) ? 'pages' : null;
}

/** A module and all that it imports, but for what is loaded on demand. */
function withImports(entry: string, modules: Modules): Set<string> {
  // A set is iterated over what is added meanwhile, too.
  const found = new Set([entry]);
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
