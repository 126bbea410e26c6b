import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonService, parseInput, Refused } from '../aws-json.ts';
import type { Key, Keys } from './keys.ts';

// https://docs.aws.amazon.com/kms/latest/APIReference/API_Encrypt.html
const MOST_PLAIN = 4096;
const MOST_SEALED = 6144;
const ALGORITHM = 'SYMMETRIC_DEFAULT';

const bytes = (most: number) =>
  z.pipe(
    z.base64().check(
      z.refine(text => {
        const length = Buffer.byteLength(text, 'base64');
        return length >= 1 && length <= most;
      }, `Member must have length between 1 and ${most}`),
    ),
    z.transform(text => Buffer.from(text, 'base64')),
  );
const Context = z._default(z.record(z.string(), z.string()), {});
const EncryptionAlgorithm = z.optional(z.literal(ALGORITHM));
const KeyId = z.string().check(z.minLength(1));

const Encrypt = z.strictObject({
  KeyId,
  Plaintext: bytes(MOST_PLAIN),
  EncryptionContext: Context,
  EncryptionAlgorithm,
});
const Decrypt = z.strictObject({
  KeyId: z.optional(KeyId),
  CiphertextBlob: bytes(MOST_SEALED),
  EncryptionContext: Context,
  EncryptionAlgorithm,
});

type Sealed = { keyId: string; iv: Buffer; tag: Buffer; text: Buffer };
type Context = Record<string, string>;

/** Encrypt and Decrypt of the KMS API, with real encryption. Permissions are not checked. */
export const createKms = (keys: () => Keys | undefined) =>
  jsonService('KMS', {
    Encrypt(input) {
      const { KeyId, Plaintext, EncryptionContext } = parseInput(Encrypt, input);
      const key = keyOf(keys(), KeyId);
      const CiphertextBlob = pack(seal(key, Plaintext, EncryptionContext)).toString('base64');
      return { CiphertextBlob, KeyId: key.arn, EncryptionAlgorithm: ALGORITHM };
    },

    Decrypt(input) {
      const { KeyId, CiphertextBlob, EncryptionContext } = parseInput(Decrypt, input);
      const expected = KeyId === undefined ? undefined : keyOf(keys(), KeyId);
      const sealed = unpack(CiphertextBlob);
      const key = keys()?.find(sealed.keyId);
      if (!key) throw invalidCiphertext();
      if (expected && expected !== key) {
        throw new Refused(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        );
      }
      const Plaintext = open(key, sealed, EncryptionContext).toString('base64');
      return { Plaintext, KeyId: key.arn, EncryptionAlgorithm: ALGORITHM };
    },
  });

function keyOf(keys: Keys | undefined, id: string): Key {
  const key = keys?.find(id);
  if (key) return key;
  throw new Refused('NotFoundException', `Key '${id}' does not exist: the template has no such key.`);
}

// KMS does not tell either what is wrong with a ciphertext.
const invalidCiphertext = () =>
  new Refused('InvalidCiphertextException', 'The ciphertext or its context is not valid.');

/** The additional authenticated data: the context, sorted so that its original order does not matter. */
const bound = (context: Context) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1))));

function seal({ id, material }: Key, plain: Buffer, context: Context): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', material, iv).setAAD(bound(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { keyId: id, iv, tag: cipher.getAuthTag(), text };
}

function open({ material }: Key, { iv, tag, text }: Sealed, context: Context): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', material, iv, { authTagLength: 16 });
  decipher.setAAD(bound(context)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

/** One byte of length, the key's id, 12 bytes of initialization vector, 16 of authentication tag, the text. */
const pack = ({ keyId, iv, tag, text }: Sealed) =>
  Buffer.concat([Buffer.of(Buffer.byteLength(keyId)), Buffer.from(keyId), iv, tag, text]);

function unpack(blob: Buffer): Sealed {
  const from = 1 + (blob[0] ?? 0);
  if (blob.length <= from + 28) throw invalidCiphertext();
  return {
    keyId: blob.subarray(1, from).toString(),
    iv: blob.subarray(from, from + 12),
    tag: blob.subarray(from + 12, from + 28),
    text: blob.subarray(from + 28),
  };
}
