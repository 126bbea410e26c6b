import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// All files that the synthesized app depends on. Those of the web app do not count, as they are served directly.
const SOURCES = ['{bin,lib,shared,functions}/**/*.*', 'cdk.json', 'package-lock.json'];

/** A hash of the sources. While it stays the same, synthesizing again would change nothing. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort())
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
