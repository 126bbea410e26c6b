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
  // Unpacked before several files want it at once: a file that is still written cannot be run.
  const { default: chromium } = await import('@sparticuz/chromium');
  process.env.CHROMIUM_PATH ||= await chromium.executablePath();
  await promisify(execFile)('node', ['bin/app.ts'], {
    env: {
      ...process.env,
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: ASSEMBLY,
      CDK_CONTEXT_JSON: JSON.stringify({ stage: 'local' }),
    },
  });
}
