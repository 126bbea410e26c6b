import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { unpackChromium } from './chromium.ts';

export const ASSEMBLY = resolve('dist/assembly');

/** Called once per run: creates a directory for temporary files, and synthesizes the product for the local stacks. */
export default async function setup() {
  const directory = resolve('.tmp');
  mkdirSync(directory, { recursive: true });
  process.env.TMPDIR = directory;
  await unpackChromium();
  process.env.CDK_VALIDATION = 'false';
  const { synthesize } = await import('#local/template/assembly.ts');
  await synthesize(ASSEMBLY);
}
