import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;

export const newSigningSecret = () => `${PREFIX}${randomBytes(BYTES).toString('base64')}`;

type Message = { id: string; at: Date; body: string };

/**
 * The headers of a message, signed with each of the secrets.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 */
export function signedHeaders(secrets: string[], { id, at, body }: Message): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatureBy = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${signatureBy(secret)}`).join(' '),
  };
}
