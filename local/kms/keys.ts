import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readState, writeState } from '../state.ts';

export type Key = { id: string; arn: string; material: Buffer };

export type Keys = ReturnType<typeof createKeys>;

/** The keys of the template. They are random, and the same at every start with this directory. */
export function createKeys(dataDir: string, declared: { id: string; arn: string }[]) {
  const file = join(dataDir, 'keys.json');
  const known = readState<Record<string, string>>(file, {});
  const keys = declared.map(({ id, arn }): Key => {
    const material = known[arn] ?? randomBytes(32).toString('base64');
    known[arn] = material;
    return { id, arn, material: Buffer.from(material, 'base64') };
  });
  writeState(file, known);
  return { find: (idOrArn: string) => keys.find(({ id, arn }) => id === idOrArn || arn === idOrArn) };
}
