import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { MINUTE } from '#shared/time.ts';
import { env, now, withTimeout } from './runtime.ts';

const client = new KMSClient(withTimeout(2_500));

// So that a million events are not a million calls of KMS. A replaced key has another ciphertext.
const KEPT = 5 * MINUTE;
const MOST_KEPT = 1_000;
const opened = new Map<string, { text: string; until: number }>();

/** Encrypts and decrypts texts with a KMS key. Decryption needs the same encryption context. */
export const vault = {
  async seal(text: string, context: Record<string, string>): Promise<string> {
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({
        KeyId: env('SENDING_KEYS'),
        Plaintext: new TextEncoder().encode(text),
        EncryptionContext: context,
      }),
    );
    if (!CiphertextBlob) throw new Error('KMS answers no ciphertext');
    return Buffer.from(CiphertextBlob).toString('base64');
  },

  async open(sealed: string, context: Record<string, string>): Promise<string> {
    const name = JSON.stringify([sealed, Object.entries(context).sort()]);
    const known = opened.get(name);
    if (known && known.until > now().getTime()) return known.text;
    const { Plaintext } = await client.send(
      new DecryptCommand({
        KeyId: env('SENDING_KEYS'),
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: context,
      }),
    );
    const text = new TextDecoder().decode(Plaintext);
    if (opened.size >= MOST_KEPT) opened.clear();
    opened.set(name, { text, until: now().getTime() + KEPT });
    return text;
  },
};
