import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { createKms } from '#local/kms/kms.ts';
import { answering } from '../support/answering.ts';

const ARN = 'arn:aws:kms:eu-central-1:000000000000:key/ours';
const key = { id: 'ours', arn: ARN, material: randomBytes(32) };
const kms = createKms(() => ({ find: named => (named === 'ours' || named === ARN ? key : undefined) }));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** The vault as a function has it, with a KMS that encrypts. */
async function vaultOfFunction() {
  const { url, asked } = await answering(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const { status, body } = await kms({ operation, body: await buffer(request) });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('SENDING_KEYS', ARN);
  vi.resetModules();
  return { vault: (await import('#functions/platform/vault.ts')).vault, asked };
}

it('a text is decrypted in the context in which it was encrypted, and in no other', async () => {
  const { vault } = await vaultOfFunction();
  const context = { organization: '7', list: 'a', purpose: 'sending-key' };
  const sealed = await vault.seal('key-one', context);
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('key-one');
  expect(await vault.open(sealed, context)).toBe('key-one');
  const others: Record<string, string>[] = [
    { ...context, organization: '8' },
    { ...context, list: 'b' },
    { organization: '7', list: 'a' },
    {},
  ];
  for (const other of others) {
    await expect(vault.open(sealed, other)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  }
});

it('a text is decrypted once in five minutes, and where it was replaced at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { vault, asked } = await vaultOfFunction();
  const [first, second] = [await vault.seal('one', {}), await vault.seal('two', {})];
  const sealing = asked.length;
  for (let call = 0; call < 100; call++) expect(await vault.open(first, {})).toBe('one');
  expect(asked.length - sealing).toBe(1);
  expect(await vault.open(second, {})).toBe('two');
  expect(asked.length - sealing).toBe(2);
  vi.setSystemTime(Date.now() + 5 * 60_000);
  await vault.open(first, {});
  expect(asked.length - sealing).toBe(3);
});
