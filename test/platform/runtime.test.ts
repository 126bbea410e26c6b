import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { answering } from '../support/answering.ts';

const letter = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
const VARIABLES = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  SENDING_KEYS: 'any',
  OBJECTS_BUCKET: 'any',
  EVENT_BUS: 'any',
  MAIL_FROM: 'a@example.com',
};

/** How often a call of each service is tried. SES may have sent the email. */
const TRIES = { DYNAMODB: 4, SQS: 3, KMS: 3, SECRETS_MANAGER: 3, S3: 3, EVENTBRIDGE: 3, SESV2: 1 };

it('a call that AWS does not answer is given up before an invocation ends, and tried again where that is safe', async () => {
  const { url, asked } = await answering(() => {});
  for (const [name, value] of Object.entries(VARIABLES)) vi.stubEnv(name, value);
  for (const service of Object.keys(TRIES)) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, `${url}/${service}/`);
  const waits: number[] = [];
  vi.doMock('#functions/platform/runtime.ts', async original => {
    const { env, withTimeout } = await original<typeof import('#functions/platform/runtime.ts')>();
    return {
      env,
      withTimeout(milliseconds: number) {
        waits.push(milliseconds);
        // Not so short that a busy machine has not asked yet.
        return withTimeout(milliseconds / 10);
      },
    };
  });
  const { table } = await import('#functions/platform/table.ts');
  const queue = await import('#functions/platform/queue.ts');
  const { vault } = await import('#functions/platform/vault.ts');
  const { secret } = await import('#functions/platform/secrets.ts');
  const { objects } = await import('#functions/platform/objects.ts');
  const { bus } = await import('#functions/platform/bus.ts');
  const { mailer } = await import('#functions/platform/mailer.ts');
  const outcomes = await Promise.allSettled([
    table.client.send(new DescribeTableCommand({ TableName: 'any' })),
    queue.send(`${url}/SQS/`, { body: {} }, 0),
    vault.open('c2VhbGVk', {}),
    secret('any', new Date()),
    objects.remove('any'),
    bus.put('Any', [{}]),
    mailer?.send('ann@example.com', letter),
  ]);
  const timedOut = { status: 'rejected', reason: { name: 'TimeoutError' } };
  expect(outcomes).toMatchObject(outcomes.map(() => timedOut));
  const triesOf = (service: string) => asked.filter(path => path.startsWith(`/${service}/`)).length;
  await expect
    .poll(() => Object.fromEntries(Object.keys(TRIES).map(service => [service, triesOf(service)])))
    .toEqual(TRIES);
  // The shortest invocation.
  expect(waits.filter(wait => wait < 10_000)).toHaveLength(outcomes.length);
});
