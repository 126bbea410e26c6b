import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptValues } from '../state.ts';

export type Key = { id: string; arn: string; material: Buffer };

export type Keys = ReturnType<typeof createKeys>;

/** The random keys of the template. */
export function createKeys(dataDir: string, declared: { id: string; arn: string }[]) {
  const arns = declared.map(({ arn }) => arn);
  const known = keptValues(join(dataDir, 'keys.json'), arns, () => randomBytes(32).toString('base64'));
  const keys = declared.map(
    ({ id, arn }): Key => ({ id, arn, material: Buffer.from(known.get(arn) ?? '', 'base64') }),
  );
  return { find: (idOrArn: string) => keys.find(({ id, arn }) => id === idOrArn || arn === idOrArn) };
}
