import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

export const ASSEMBLY = resolve('dist/assembly');

/** Once per run: a place for temporary files, and the synthesized product that every local stack runs. */
export default async function setup() {
  const directory = resolve('.tmp');
  mkdirSync(directory, { recursive: true });
  process.env.TMPDIR = directory;
  // Unpacked before several files want it at once: a file that is still written cannot be run.
  const { default: chromium } = await import('@sparticuz/chromium');
  process.env.CHROMIUM_PATH ||= await chromium.executablePath();
  process.env.CDK_VALIDATION = 'false';
  const { synthesize } = await import('../../local/template/assembly.ts');
  await synthesize(ASSEMBLY);
}
