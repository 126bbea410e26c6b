import {
  GetSecretValueCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { MINUTE } from '#shared/time.ts';
import { withTimeout } from './runtime.ts';

const client = new SecretsManagerClient(withTimeout(2_500));
const read = new Map<string, { value: string; until: number }>();

// How long a process caches a value, and so may use a replaced one.
const KEPT = 5 * MINUTE;

/** Reads the secret with this name or ARN. It must never be logged. */
export async function secret(id: string, now: Date): Promise<string> {
  const known = read.get(id);
  if (known && known.until > now.getTime()) return known.value;
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
  if (!SecretString) throw new Error('A secret that the template names holds no text');
  read.set(id, { value: SecretString, until: now.getTime() + KEPT });
  return SecretString;
}

// The tag that CloudFormation sets:
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-console-create-stack.html
const STACK = 'aws:cloudformation:stack-name';

export async function secretOfStack(stack: string, beginning: string): Promise<string> {
  const Filters = [{ Key: 'name' as const, Values: [beginning] }];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters })) {
    const found = SecretList.find(({ Tags = [] }) =>
      Tags.some(({ Key, Value }) => Key === STACK && Value === stack),
    );
    if (found?.ARN) return found.ARN;
  }
  throw new Error(`The stack ${stack} has no secret whose name begins with ${beginning}.`);
}
