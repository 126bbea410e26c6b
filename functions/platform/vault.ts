import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { env } from './env.ts';

const client = new KMSClient({});

/** Encrypts and decrypts texts with a KMS key; decrypting takes the same encryption context. */
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
    const { Plaintext } = await client.send(
      new DecryptCommand({
        KeyId: env('SENDING_KEYS'),
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: context,
      }),
    );
    return new TextDecoder().decode(Plaintext);
  },
};
