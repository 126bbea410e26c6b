import { afterEach, expect, it, vi } from 'vitest';
import { answering } from '../support/answering.ts';

afterEach(() => void vi.unstubAllEnvs());

const from = (file: string) => import(`../../functions/platform/${file}.ts`);
const letter = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** One call of each service of AWS, and how often it is tried. */
const CALLS: Record<string, { tries: number; call: () => Promise<unknown> }> = {
  DynamoDB: {
    tries: 4,
    call: async () => {
      const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb');
      return (await from('table')).table.client.send(new DescribeTableCommand({ TableName: 'any' }));
    },
  },
  SQS: {
    tries: 3,
    call: async () => (await from('queue')).send(process.env.AWS_ENDPOINT_URL, { body: {} }, 0),
  },
  KMS: { tries: 3, call: async () => (await from('vault')).vault.open('c2VhbGVk', {}) },
  'Secrets Manager': { tries: 3, call: async () => (await from('secrets')).secret('any', new Date()) },
  S3: { tries: 3, call: async () => (await from('objects')).objects.remove('any') },
  EventBridge: { tries: 3, call: async () => (await from('bus')).bus.put('Any', [{}]) },
  // It may have been sent.
  SES: { tries: 1, call: async () => (await from('mailer')).mailer.send('ann@example.com', letter) },
};

it.each(Object.entries(CALLS))(
  'a call of %s that is not answered is given up before an invocation ends, and tried again where that is safe',
  async (_, { tries, call }) => {
    const { url, asked } = await answering(() => {});
    const variables = { AWS_ENDPOINT_URL: url, AWS_REGION: 'eu-central-1' };
    const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
    const names = {
      SENDING_KEYS: 'any',
      OBJECTS_BUCKET: 'any',
      EVENT_BUS: 'any',
      MAIL_FROM: 'a@example.com',
    };
    for (const [name, value] of Object.entries({ ...variables, ...credentials, ...names }))
      vi.stubEnv(name, value);
    vi.resetModules();
    const { env, withTimeout } = await vi.importActual<typeof import('#functions/platform/aws.ts')>(
      '#functions/platform/aws.ts',
    );
    const waits: number[] = [];
    vi.doMock('#functions/platform/aws.ts', () => ({
      env,
      withTimeout(milliseconds: number) {
        waits.push(milliseconds);
        // Not so short that a busy machine has not asked yet.
        return withTimeout(milliseconds / 10);
      },
    }));
    await expect(call()).rejects.toMatchObject({ name: 'TimeoutError' });
    vi.doUnmock('../../functions/platform/aws.ts');
    await expect.poll(() => asked).toHaveLength(tries);
    // The shortest invocation.
    expect(waits.filter(wait => wait < 10_000)).toHaveLength(1);
  },
);
