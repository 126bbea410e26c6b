import { unmarshall } from '@aws-sdk/util-dynamodb';
import { items } from './items.ts';
import type { Stack } from './stack.ts';
import type { Belongings } from './valid-calls.ts';

/** What the table holds of an organization, its owner and what belongs to them, by key, once nothing is under way. */
export async function storedOf(stack: Stack, { owner, ids }: Belongings): Promise<Record<string, unknown>> {
  await stack.fetchJson('POST', '/_local/drain');
  const { organization, tokenName: _, ...others } = ids;
  const inKey = new RegExp(`(ORG|R|PURGE)#0*${organization}(#|$)`);
  const texts = [owner.id, owner.email, ...Object.values(others)];
  const stored = (await items(stack)).flatMap(item => {
    const { PK, SK, ...rest } = unmarshall(item);
    const key = `${PK} ${SK}`;
    // How often programs have called, and when a credential was last used, changes with every call.
    if (/^(RATE|TOKEN|SESSION)#/.test(key) || SK.startsWith('SESSION#')) return [];
    const isOfThem =
      inKey.test(PK) || inKey.test(SK) || texts.some(text => JSON.stringify(item).includes(text));
    return isOfThem ? [[key, rest] as const] : [];
  });
  return Object.fromEntries(stored);
}
