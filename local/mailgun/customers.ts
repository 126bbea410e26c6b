import { call } from '../engines/call.ts';
import type { Keys } from '../kms/keys.ts';
import { createKms } from '../kms/kms.ts';
import type { Secrets } from '../secrets.ts';

/** What the stand-in has to know of the product, which a customer of Mailgun enters there or copies from there. */
export type Customers = {
  /** Signs the events of all domains whose list has no key of its own. */
  accountKey: () => string;
  /** The list that an email was sent for: the address of its events, and its own key. */
  listOf: (send: string) => Promise<{ url: string; key: string | undefined } | undefined>;
};

type Product = { secrets: Secrets; keys: Keys; tables: string[] };
type CustomersOptions = {
  product: () => Product | undefined;
  /** The DynamoDB API. */
  dynamodb: string;
  region: string;
  url: string;
};

// In the name of the secret that docs/deploy.md asks an operator to set to the key of their account.
const SECRET = 'ProviderSigningKey';
// The user variable of an email: organization, recipient and number, as docs/table.md has them in its keys.
const SEND = /^(\d{1,15})-([\w-]{22})-(\d{1,10})$/;
const HIGHEST = 9_999_999_999;

type Answer = { Item?: Record<string, { S?: string }> };

/** Reads the table and the keys of the product, as no API tells which list an email is of. */
export function createCustomers({ product, dynamodb, region, url }: CustomersOptions): Customers {
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
    accountKey: () => [...(product()?.secrets ?? [])].find(([arn]) => arn.includes(SECRET))?.[1] ?? '',
    async listOf(send) {
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
