import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const LOGIN = join(import.meta.dirname, 'login.html');
/** About a quarter of the pages and parts: what fewer share is loaded with them. */
const MANY = 17;

/**
 * What many pages share is in two files: without them it would be in one for each set of pages that share something, and a
 * page would ask for twice as many. The first file holds what /login needs, which is to load little.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: ofLogin, debugName: 'base', minShareCount: 2, priority: 1 },
    { name: 'core', minShareCount: MANY },
  ],
};

let needed: Set<string> | undefined;

function ofLogin(id: string, modules: Modules): string | null {
  needed ??= withImports(LOGIN, modules);
  return needed.has(id) ? 'base' : null;
}

/** A module and all that it imports, but for what is loaded on demand. */
function withImports(entry: string, modules: Modules): Set<string> {
  // A set is iterated over what is added meanwhile, too.
  const found = new Set([entry]);
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
