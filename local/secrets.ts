import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { keptValues } from './state.ts';
import { refOf } from './template/identity.ts';
import type { Read } from './template/read.ts';

export type Secrets = ReadonlyMap<string, string>;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The secrets that the template generates. */
export function createSecrets(dataDir: string, declared: Read<'AWS::SecretsManager::Secret'>[]): Secrets {
  const lengths = new Map(
    declared.map(({ resource, properties }) => [
      refOf(resource),
      properties.GenerateSecretString.PasswordLength,
    ]),
  );
  return keptValues(join(dataDir, 'secrets.json'), [...lengths.keys()], arn =>
    Array.from({ length: lengths.get(arn) ?? 0 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
}
