import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Mistake } from './mistake.ts';
import { readState, writeState } from './state.ts';
import type { Properties } from './template/kinds.ts';
import type { Read } from './template/read.ts';

export type Secrets = {
  value: (arn: string) => string | undefined;
  field: (arn: string, key: string) => string;
};

type Recipe = Properties<'AWS::SecretsManager::Secret'>['GenerateSecretString'];

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** The secrets that the template asks for: random, and the same at every start with this directory. */
export function createSecrets(
  dataDir: string,
  declared: (Read<'AWS::SecretsManager::Secret'> & { arn: string })[],
): Secrets {
  const file = join(dataDir, 'secrets.json');
  const known = readState<Record<string, string>>(file, {});
  for (const { arn, properties } of declared) known[arn] ??= generate(properties.GenerateSecretString);
  writeState(file, known, 0o600);
  return {
    value: arn => known[arn],
    field(arn, key) {
      const value = known[arn];
      if (value === undefined)
        throw new Mistake(`The template refers to the secret ${arn}, which is not there.`);
      return key ? String(JSON.parse(value)[key]) : value;
    },
  };
}

function generate({ PasswordLength = 32, ...recipe }: Recipe): string {
  const alphabet =
    LETTERS + (recipe.ExcludePunctuation ? '' : PUNCTUATION) + (recipe.IncludeSpace ? ' ' : '');
  const password = Array.from({ length: PasswordLength }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
  if (!recipe.SecretStringTemplate || !recipe.GenerateStringKey) return password;
  return JSON.stringify({ ...JSON.parse(recipe.SecretStringTemplate), [recipe.GenerateStringKey]: password });
}
