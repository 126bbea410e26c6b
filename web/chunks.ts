import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const LOGIN = join(import.meta.dirname, 'login.html');
/** About a quarter of the pages and parts: what fewer share is loaded with them. */
const MANY = 34;
const SCHEMAS = /node_modules[\\/]zod[\\/]/;
const OF_FORMS = /node_modules[\\/](zod|react-hook-form|@hookform)[\\/]/;

/**
 * What many pages share is in four files: without them it would be in one for each set of pages that share something, and a
 * page would ask for twice as many. The first file holds what /login needs, which is to load little; two hold what
 * only forms need, which are loaded on demand, and zod, which little else needs; the last one the rest, which the app
 * loads with its first page.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: ofLogin, debugName: 'base', minShareCount: 2, priority: 2 },
    { name: 'schemas', test: SCHEMAS, minShareCount: 2, priority: 2 },
    { name: 'forms', test: OF_FORMS, minShareCount: 2, priority: 1 },
    { name: ofApp, debugName: 'core', minShareCount: MANY },
  ],
};

let needed: Set<string> | undefined;

function ofLogin(id: string, modules: Modules): string | null {
  needed ??= withImports(LOGIN, modules);
  return needed.has(id) ? 'base' : null;
}

function ofApp(id: string, modules: Modules): string | null {
  return [...withImports(id, modules)].some(imported => OF_FORMS.test(imported)) ? null : 'core';
}

/** A module and all that it imports, but for what is loaded on demand. */
function withImports(entry: string, modules: Modules): Set<string> {
  // A set is iterated over what is added meanwhile, too.
  const found = new Set([entry]);
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
