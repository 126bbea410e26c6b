import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeys } from '#local/kms/keys.ts';
import { createKms } from '#local/kms/kms.ts';
import { fixtureStack, temporary } from './fixture/stack.ts';

const dataDir = temporary('keys');
const OURS = { id: 'ours', arn: 'arn:aws:kms:eu-central-1:000000000000:key/ours' };
const THEIRS = { id: 'theirs', arn: 'arn:aws:kms:eu-central-1:000000000000:key/theirs' };

function started() {
  const keys = createKeys(dataDir, [OURS, THEIRS]);
  const kms = createKms(() => keys);
  return async (operation: string, input: object) => {
    const { status, body } = await kms({ operation, body: Buffer.from(JSON.stringify(input)) });
    const answer = JSON.parse(body.toString());
    expect(status).toBe(answer.__type ? 400 : 200);
    return answer;
  };
}

const ask = started();
const encoded = (text: string) => Buffer.from(text).toString('base64');
const EncryptionContext = { organization: '7', list: 'a' };
const sealed = (text: string, more: object = {}) =>
  ask('Encrypt', { KeyId: OURS.arn, Plaintext: encoded(text), EncryptionContext, ...more });

describe('A secret', () => {
  it('is decrypted from its ciphertext, which does not show it', async () => {
    const { CiphertextBlob, KeyId } = await sealed('open sesame');
    expect(KeyId).toBe(OURS.arn);
    expect(Buffer.from(CiphertextBlob, 'base64').toString('latin1')).not.toContain('sesame');
    const opened = await ask('Decrypt', { CiphertextBlob, EncryptionContext });
    expect(opened).toEqual({
      Plaintext: encoded('open sesame'),
      KeyId: OURS.arn,
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    });
  });

  it('is decrypted with its context in any order, and the key may be named by its id', async () => {
    const { CiphertextBlob } = await sealed('x', { KeyId: 'ours' });
    const reordered = { list: 'a', organization: '7' };
    const opened = await ask('Decrypt', { CiphertextBlob, EncryptionContext: reordered, KeyId: 'ours' });
    expect(opened.Plaintext).toBe(encoded('x'));
  });

  it('survives a restart', async () => {
    const { CiphertextBlob } = await sealed('still there');
    const opened = await started()('Decrypt', { CiphertextBlob, EncryptionContext });
    expect(opened.Plaintext).toBe(encoded('still there'));
  });

  it.each([
    ['another value', { ...EncryptionContext, list: 'b' }],
    ['less', { organization: '7' }],
    ['more', { ...EncryptionContext, more: 'yes' }],
    ['values that only look the same when joined', { organization: '7","list":"a' }],
    ['nothing', undefined],
  ])('is not decrypted with a context that has %s', async (_, context) => {
    const { CiphertextBlob } = await sealed('x');
    const { __type } = await ask('Decrypt', { CiphertextBlob, EncryptionContext: context });
    expect(__type).toBe('InvalidCiphertextException');
  });

  it('is not decrypted when any byte of its ciphertext was changed or is missing', async () => {
    const blob = Buffer.from((await sealed('x')).CiphertextBlob, 'base64');
    const changed = [...blob.keys()].map(index => {
      const copy = Buffer.from(blob);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return copy;
    });
    for (const each of [...changed, blob.subarray(0, -1), blob.subarray(0, 5)]) {
      const CiphertextBlob = each.toString('base64');
      const { __type } = await ask('Decrypt', { CiphertextBlob, EncryptionContext });
      expect(__type).toBe('InvalidCiphertextException');
    }
  });

  it('is not decrypted with another key', async () => {
    const { CiphertextBlob } = await sealed('x');
    const { __type } = await ask('Decrypt', { CiphertextBlob, EncryptionContext, KeyId: THEIRS.arn });
    expect(__type).toBe('IncorrectKeyException');
  });

  it('may have 4096 bytes, not one more, and not none', async () => {
    expect((await sealed('x'.repeat(4096))).CiphertextBlob).toEqual(expect.any(String));
    expect((await sealed('x'.repeat(4097))).__type).toBe('ValidationException');
    expect((await sealed('')).__type).toBe('ValidationException');
  });

  it('needs a key that the template has', async () => {
    expect((await sealed('x', { KeyId: 'alias/ours' })).__type).toBe('NotFoundException');
    expect((await sealed('x', { KeyId: undefined })).__type).toBe('ValidationException');
  });
});

it('Keys are in a file that only its owner can read', () => {
  expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
});

it('Any other operation of KMS is refused by its name', async () => {
  expect(await ask('GenerateDataKey', {})).toEqual({
    __type: 'UnknownOperationException',
    message: 'The local stack has no GenerateDataKey of KMS.',
  });
});

describe('A function', () => {
  const { json } = fixtureStack();

  it('reaches the key of the template with the SDK', async () => {
    const { body } = await json('POST', '/api/secret', { text: 'open sesame', EncryptionContext });
    expect(body.opened).toBe('open sesame');
    expect(body.sealed).not.toContain(encoded('sesame'));
  });
});
