import { call } from '../engines/call.ts';
import type { Keys } from '../kms/keys.ts';
import { createKms } from '../kms/kms.ts';
import type { Secrets } from '../secrets.ts';

export type Customers = ReturnType<typeof createCustomers>;

type Product = { secrets: Secrets; keys: Keys; tables: string[] };
type CustomersOptions = { product: () => Product | undefined; dynamodb: string; region: string; url: string };

// Part of the name of the secret in which an operator stores the signing key of their account: see docs/deploy.md.
const SECRET = 'ProviderSigningKey';
// The user variable of an email: organization, recipient and number, as in the keys of docs/table.md.
const SEND = /^(\d{1,15})-([\w-]{22})-(\d{1,10})$/;
const HIGHEST = 9_999_999_999;

type Answer = { Item?: Record<string, { S?: string }> };

/**
 * What the local Mailgun has to know about the product: settings that a customer of Mailgun would copy between the two. They
 * are read from the table and the keys, as no API tells the list of an email.
 */
export function createCustomers({ product, dynamodb, region, url }: CustomersOptions) {
  const kms = createKms(() => product()?.keys);

  async function textsOf(PK: string, SK: string): Promise<Record<string, { S?: string }>> {
    const [TableName] = product()?.tables ?? [];
    const query = { TableName, ConsistentRead: true, Key: { PK: { S: PK }, SK: { S: SK } } };
    return (await call<Answer>(dynamodb, 'DynamoDB_20120810.GetItem', query, region)).Item ?? {};
  }

  async function opened(CiphertextBlob: string, EncryptionContext: object): Promise<string> {
    const input = Buffer.from(JSON.stringify({ CiphertextBlob, EncryptionContext }));
    const { body } = await kms({ operation: 'Decrypt', body: input });
    return Buffer.from(JSON.parse(body.toString()).Plaintext, 'base64').toString();
  }

  return {
    /** The key that signs the events for all lists without a key of their own. */
    accountKey: () => [...(product()?.secrets ?? [])].find(([arn]) => arn.includes(SECRET))?.[1] ?? '',
    /** The list that an email was sent for: the URL for its events, and its own key. */
    async listOf(send: string) {
      const [, organization, hash, seq] = SEND.exec(send) ?? [];
      if (organization === undefined) return undefined;
      const number = String(HIGHEST - Number(seq)).padStart(10, '0');
      const claim = await textsOf(`R#${organization}#${hash}`, `J#${number}`);
      const list = claim.list_id?.S;
      if (list === undefined) return undefined;
      const sealed = (await textsOf(`ORG#${organization}`, `LIST#${list}`)).signing_key?.S;
      const key = sealed && (await opened(sealed, { organization, list, purpose: 'signing-key' }));
      return { url: `${url}/t/e/${organization}/${list}`, key };
    },
  };
}
