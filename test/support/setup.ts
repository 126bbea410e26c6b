import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** Once per run: a place for temporary files that belongs to the project. */
export default function setup() {
  const directory = resolve('.tmp');
  mkdirSync(directory, { recursive: true });
  process.env.TMPDIR = directory;
}
