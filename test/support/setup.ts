import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

export const ASSEMBLY = resolve('dist/assembly');

/** Once per run: a place for temporary files, and the synthesized product that every local stack runs. */
export default async function setup() {
  const directory = resolve('.tmp');
  mkdirSync(directory, { recursive: true });
  process.env.TMPDIR = directory;
  await promisify(execFile)('node', ['bin/app.ts'], {
    env: {
      ...process.env,
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: ASSEMBLY,
      CDK_CONTEXT_JSON: JSON.stringify({ stage: 'local' }),
    },
  });
}
