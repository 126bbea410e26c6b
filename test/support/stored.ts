import { items, textOf } from './items.ts';
import type { Stack } from './stack.ts';
import type { Belongings } from './valid-calls.ts';

/** All items of an organization, its owner and their belongings, by key. Must be called when no work is in progress. */
export async function storedOf(stack: Stack, { owner, ids }: Belongings): Promise<Record<string, unknown>> {
  await stack.fetchJson('POST', '/_local/drain');
  const { organization, tokenName: _, ...others } = ids;
  const inKey = new RegExp(`(ORG|R|PURGE)#0*${organization}(#|$)`);
  const texts = [owner.id, owner.email, ...Object.values(others)];
  const stored = (await items(stack)).flatMap(item => {
    const { PK, SK, ...rest } = item;
    const key = `${PK} ${SK}`;
    // Counts of requests and the last use of a credential change with every request.
    if (/^(RATE|TOKEN|SESSION)#/.test(key) || SK.startsWith('SESSION#')) return [];
    const isOfThem = inKey.test(PK) || inKey.test(SK) || texts.some(text => textOf(item).includes(text));
    return isOfThem ? [[key, rest] as const] : [];
  });
  return Object.fromEntries(stored);
}
