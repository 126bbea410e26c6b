import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { domainOf, normalizeDomain } from '#shared/address.ts';
import * as store from './whitelist.store.ts';

const EVERY_DOMAIN = '*';

export async function allows({ table }: { table: Table }, address: string): Promise<boolean> {
  const domains = await store.domains(table);
  return domains.has(EVERY_DOMAIN) || domains.has(domainOf(address));
}

export const list = async ({ table }: { table: Table }) => [...(await store.domains(table))].sort();

export const add = ({ table }: { table: Table }, domains: string[]) =>
  store.add(table, domains.map(normalized));

export const remove = ({ table }: { table: Table }, domains: string[]) =>
  store.remove(table, domains.map(normalized));

function normalized(domain: string): string {
  const known = domain === EVERY_DOMAIN ? EVERY_DOMAIN : normalizeDomain(domain);
  if (!known) throw invalid('domain', `${domain} is not a domain name. Write it like example.com.`);
  return known;
}
