import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
  Mappings: z.optional(z.record(z.string(), z.unknown())),
});
const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z.optional(z.string()),
      properties: z.optional(
        z.looseObject({
          templateFile: z.optional(z.string()),
          stackName: z.optional(z.string()),
          directoryName: z.optional(z.string()),
        }),
      ),
    }),
  ),
});

export type Stack = {
  name: string;
  region: string;
  /** Where its template lies: paths of assets are relative to it. */
  directory: string;
  template: z.infer<typeof Template>;
};

const ROOT = resolve(import.meta.dirname, '../..');
export const HOME_REGION = 'eu-central-1';

/** Has the CDK app write its templates and bundles, as a deployment would, unless it has done so before. */
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
      CDK_CONTEXT_JSON: JSON.stringify({ ...committedContext(), stage: 'local' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  child.on('error', () => {});
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const code = await new Promise<number | null>(done => child.on('close', done));
  if (code !== 0) throw unbuilt(output);
  writeFileSync(file, present);
}

/** Of a build that failed: the places that the bundler names, or else what the app said. */
function unbuilt(output: string): Mistake {
  const places = [...output.matchAll(/^(\S+:\d+:\d+): ERROR: (.+)$/gm)].map(
    ([, place, error]) => `${place}: ${error}`,
  );
  if (places.length > 0) return new Mistake(`It does not build: ${places.join('; ')}`);
  const said = output.replace(/^Bundling asset .*\n/gm, '').trim();
  const reason = /^(?:.*Error: .*|«.*)$/m.exec(said)?.[0] ?? 'bin/app.ts ended with an error';
  return new Mistake(`It does not build: ${reason}`, said);
}

/** What the cdk command would hand to the app out of cdk.json. */
function committedContext(): Record<string, unknown> {
  const file = join(ROOT, 'cdk.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).context ?? {}) : {};
}

/** The templates of an assembly, those of nested assemblies included. */
export function readAssembly(directory: string): Stack[] {
  const file = join(directory, 'manifest.json');
  if (!existsSync(file)) throw new Mistake(`There is no synthesized CDK app in ${directory}.`);
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(artifacts).flatMap(([id, { type, environment, properties }]) => {
    if (type === 'cdk:cloud-assembly' && properties?.directoryName) {
      return readAssembly(join(directory, properties.directoryName));
    }
    if (type !== 'aws:cloudformation:stack' || !properties?.templateFile) return [];
    const path = join(directory, properties.templateFile);
    const region = environment?.split('/').at(-1) ?? HOME_REGION;
    return {
      name: properties.stackName ?? id,
      region: region.startsWith('unknown') ? HOME_REGION : region,
      directory: dirname(path),
      template: Template.parse(JSON.parse(readFileSync(path, 'utf8'))),
    };
  });
}
