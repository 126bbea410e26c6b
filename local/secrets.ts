import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { readState, writeState } from './state.ts';
import { refOf } from './template/identity.ts';
import type { Properties } from './template/kinds.ts';
import type { Read } from './template/read.ts';

/** By ARN. */
export type Secrets = ReadonlyMap<string, string>;

type Recipe = Properties<'AWS::SecretsManager::Secret'>['GenerateSecretString'];

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The generated secrets of the template. They are random, and the same at every start with this directory. */
export function createSecrets(dataDir: string, declared: Read<'AWS::SecretsManager::Secret'>[]): Secrets {
  const file = join(dataDir, 'secrets.json');
  const known = readState<Record<string, string>>(file, {});
  for (const { resource, properties } of declared) {
    known[refOf(resource)] ??= generate(properties.GenerateSecretString);
  }
  writeState(file, known);
  return new Map(Object.entries(known));
}

const generate = ({ PasswordLength }: Recipe) =>
  Array.from({ length: PasswordLength }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
