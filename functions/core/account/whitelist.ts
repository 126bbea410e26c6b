import { invalid } from '#core/refusal.ts';
import { get, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { domainOf, normalizeDomain } from '#shared/address.ts';

type Needs = { table: Table };

const KEY = { PK: 'CONFIG', SK: 'WHITELIST' };
const EVERY_DOMAIN = '*';

export async function allows(needs: Needs, address: string): Promise<boolean> {
  const domains = await domainsOf(needs);
  return domains.has(EVERY_DOMAIN) || domains.has(domainOf(address));
}

export const list = async (needs: Needs) => [...(await domainsOf(needs))].sort();

/** The domains whose addresses may register; `*` allows every domain. */
async function domainsOf({ table }: Needs): Promise<Set<string>> {
  const item = await get(table, KEY);
  return (item?.domains as Set<string> | undefined) ?? new Set();
}

export const add = ({ table }: Needs, domains: string[]) =>
  updateItem(table, KEY, { add: { domains: new Set(domains.map(normalized)) } });

export const remove = ({ table }: Needs, domains: string[]) =>
  updateItem(table, KEY, { subtract: { domains: new Set(domains.map(normalized)) } });

function normalized(domain: string): string {
  const known = domain === EVERY_DOMAIN ? EVERY_DOMAIN : normalizeDomain(domain);
  if (!known) throw invalid('domain', `${domain} is not a domain name. Write it like example.com.`);
  return known;
}
