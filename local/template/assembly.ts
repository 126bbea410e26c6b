import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { Mistake } from '../mistake.ts';
import { fingerprint } from './fingerprint.ts';

const Resource = z.object({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  Metadata: z.optional(z.record(z.string(), z.unknown())),
});
const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z.optional(z.record(z.string(), z.object({ Default: z.optional(z.unknown()) }))),
  Outputs: z.optional(
    z.record(
      z.string(),
      z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) }),
    ),
  ),
});
const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z._default(z.string(), ''),
      properties: z._default(z.object({ templateFile: z._default(z.string(), '') }), { templateFile: '' }),
    }),
  ),
});

export type Stack = {
  name: string;
  region: string;
  /** The directory of its template. Paths of assets are relative to it. */
  directory: string;
  template: z.infer<typeof Template>;
};

const ROOT = resolve(import.meta.dirname, '../..');
export const HOME_REGION = 'eu-central-1';

/** The directory to which the app is synthesized for a data directory. */
export function assemblyOf(root: string, dataDir: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return join(root, `dist/assembly-${basename(dataDir).replace(/[^A-Za-z0-9]+/g, '')}-${hash}`);
}

/** Runs the CDK app, which writes its templates and bundles. Does nothing if they exist and the sources are unchanged. */
export async function synthesize(directory: string, signal?: AbortSignal): Promise<void> {
  const present = fingerprint(ROOT);
  const file = join(directory, 'fingerprint');
  if (existsSync(file) && readFileSync(file, 'utf8') === present) return;
  rmSync(file, { force: true });
  const child = spawn(process.execPath, [join(ROOT, 'bin/app.ts')], {
    cwd: ROOT,
    env: {
      ...process.env,
      CDK_OUTDIR: resolve(directory),
      CDK_CONTEXT_JSON: JSON.stringify({ stage: 'local' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  child.on('error', () => {});
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const code = await new Promise<number | null>(done => child.on('close', done));
  if (code !== 0) throw buildFailure(output);
  writeFileSync(file, present);
}

/** The errors of a failed build: those of the bundler with their positions, or else the output of the app. */
function buildFailure(output: string): Mistake {
  const places = [...output.matchAll(/^(\S+:\d+:\d+): ERROR: (.+)$/gm)].map(
    ([, place, error]) => `${place}: ${error}`,
  );
  if (places.length > 0) return new Mistake(`It does not build: ${places.join('; ')}`);
  const printed = output.replace(/^Bundling asset .*\n/gm, '').trim();
  const reason = /^(?:.*Error: .*|«.*)$/m.exec(printed)?.[0] ?? 'bin/app.ts ended with an error';
  return new Mistake(`It does not build: ${reason}`, printed);
}

export function readAssembly(directory: string): Stack[] {
  const file = join(directory, 'manifest.json');
  if (!existsSync(file)) throw new Mistake(`There is no synthesized CDK app in ${directory}.`);
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([name, { environment, properties }]) => {
      const template = JSON.parse(readFileSync(join(directory, properties.templateFile), 'utf8'));
      // The environment has the form aws://<account>/<region>.
      const [region = ''] = environment.split('/').slice(-1);
      return { name, region, directory, template: Template.parse(template) };
    });
}
