import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const secrets = mockClient(SecretsManagerClient);
const key = 'k'.repeat(64);
const from = (headers?: Record<string, string>) => ({ headers }) as APIGatewayRequestAuthorizerEventV2;

/** Loads the module again, without the key that it has cached. */
async function freshHandler() {
  vi.resetModules();
  return (await import('#functions/http/origin.ts')).handler;
}

beforeEach(() => {
  process.env.ORIGIN_KEY_SECRET = 'origin-key';
  secrets.reset();
  secrets.on(GetSecretValueCommand, { SecretId: 'origin-key' }).resolves({ SecretString: key });
});

describe('the authorizer of the API', () => {
  it('admits a request with the origin key', async () => {
    const handler = await freshHandler();
    expect(await handler(from({ 'x-origin-key': key }))).toEqual({ isAuthorized: true });
  });

  it.each([
    ['another key', { 'x-origin-key': 'l'.repeat(64) }],
    ['a part of the key', { 'x-origin-key': key.slice(1) }],
    ['an empty key', { 'x-origin-key': '' }],
    ['the key in another header', { authorization: key }],
    ['no header', undefined],
  ])('refuses %s', async (_, headers) => {
    const handler = await freshHandler();
    expect(await handler(from(headers))).toEqual({ isAuthorized: false });
  });

  it('fails while the secret is empty', async () => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: '' });
    const handler = await freshHandler();
    await expect(handler(from({ 'x-origin-key': '' }))).rejects.toThrow('holds no text');
  });

  it('reads the key again after five minutes, and not before', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z'), toFake: ['Date'] });
    const handler = await freshHandler();
    await handler(from({ 'x-origin-key': key }));
    secrets.on(GetSecretValueCommand).resolves({ SecretString: 'replaced' });

    vi.setSystemTime(new Date('2026-03-01T12:04:59Z'));
    expect(await handler(from({ 'x-origin-key': key }))).toEqual({ isAuthorized: true });
    vi.setSystemTime(new Date('2026-03-01T12:05:00Z'));
    expect(await handler(from({ 'x-origin-key': key }))).toEqual({ isAuthorized: false });
    expect(await handler(from({ 'x-origin-key': 'replaced' }))).toEqual({ isAuthorized: true });
    vi.useRealTimers();
  });
});
