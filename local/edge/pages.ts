import { matchesGlob } from 'node:path';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Files } from './content.ts';
import { fileServer } from './files.ts';

/** The built web app, with the cache headers under which the template copies it into its bucket. */
export function builtPages(resolver: Resolver, directory: string): Files {
  const copies = readAll(resolver, 'Custom::CDKBucketDeployment').map(({ properties }) => properties);
  return fileServer(directory, path => {
    const name = path.replace(/^\//, '');
    // As `aws s3 cp` reads them: what is excluded, unless it is included again.
    const copy = copies.find(({ Include = [], Exclude = [] }) => {
      return some(Include, name) || !some(Exclude, name);
    });
    // Where the stage copies nothing, each page is asked for again: it may have been built anew.
    return copies.length === 0 ? 'no-cache' : copy?.SystemMetadata?.['cache-control'];
  });
}

const some = (patterns: string[], name: string) =>
  patterns.some(pattern => matchesGlob(name, pattern.replaceAll('*', '**')));
