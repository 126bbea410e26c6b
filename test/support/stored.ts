import { HEALTH } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import { items, textOf } from './items.ts';
import type { Stack } from './stack.ts';
import type { Belongings } from './valid-calls.ts';

// What deliveries to a webhook store, which are tried again by themselves.
const OF_DELIVERIES = [...HEALTH, 'last_triggered_at', 'attempted_at', 'attempts', 'next_at', 'tries'];

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
    if (/ HOOK#|#HOOKS#/.test(key)) for (const field of OF_DELIVERIES) delete rest[field];
    return isOfThem ? [[key, rest] as const] : [];
  });
  return Object.fromEntries(stored);
}
