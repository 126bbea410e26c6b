import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { domainOf, normalizeDomain } from '#shared/address.ts';
import type { DomainCheck } from '#shared/domain-check.ts';
import { needsKey, providerOf, providersOf, spfIncludeOf, titleOf } from '#shared/providers.ts';
import { HOUR } from '#shared/time.ts';
import { findingsOf, keyName, keysIn, type Signature, tagsOf } from './domain-findings.ts';
import { readClaim } from './identity.store.ts';
import type { Dns } from './identity.ts';
import * as store from './list.store.ts';

type Needs = { table: Table; dns: Dns; now: Date; publicUrl: string };
type List = store.StoredList;

/** A check holds for an hour. */
export const isChecked = ({ domain_check }: List, now: Date) =>
  now.getTime() - Date.parse(domain_check?.checked_at ?? '') < HOUR;

export const shown = async (needs: Needs, list: List): Promise<DomainCheck> =>
  list.domain_check && isChecked(list, needs.now) ? described(list, list.domain_check) : look(needs, list);

/** Looks again. `pasted` names the key that signed an email; it is stored if it is there. */
export async function check(needs: Needs, list: List, pasted?: string): Promise<DomainCheck> {
  if (pasted === undefined) return look(needs, list);
  const dkim = signatureIn(pasted, list.domain);
  const name = keyName(dkim);
  const keys = keysIn(await needs.dns.txt(name));
  if (!keys) throw invalid('dkim', `The DNS gave no answer for ${name}. Please try again in a minute.`);
  if (keys.length === 0) throw invalid('dkim', `There is no DKIM key at ${name}. Check the selector.`);
  return look(needs, list, dkim);
}

/** What is stored is about the list as it was read: not if it was changed or checked meanwhile. */
async function look({ table, dns, now, publicUrl }: Needs, list: List, dkim?: Signature) {
  const { organization_id, domain, reply_to, sender_address } = list;
  const providers = providersOf(list);
  const name = providers.find(spfIncludeOf) ?? providerOf(list);
  const provider = { title: titleOf(name), include: spfIncludeOf(name) };
  const claim = providers.every(needsKey) ? undefined : await readClaim(table, organization_id, domain);
  const ofProvider = (claim?.records ?? []).map(({ name, value }) => ({
    selector: name.replace(/\._domainkey\..*/, ''),
    domain,
    target: value,
  }));
  const signed = dkim ?? list.dkim;
  const signatures = [...ofProvider, ...(provider.include && signed ? [signed] : [])];
  const replies = domainOf(reply_to || sender_address);
  const findings = await findingsOf(dns, { domain, replies, provider, signatures, publicUrl });
  const domain_check = { checked_at: now.toISOString(), findings };
  const isStored = await store.change(table, list, {
    set: { dkim, domain_check },
    provided: ['domain', 'sender_address', 'reply_to', 'provider', 'second_provider', 'dkim', 'domain_check'],
  });
  if (dkim && !isStored) throw new Refusal('conflict', 'The list was changed meanwhile. Please try again.');
  return described({ ...list, ...(dkim && { dkim }) }, domain_check);
}

const described = ({ domain, dkim }: List, { checked_at, findings }: NonNullable<List['domain_check']>) => ({
  domain,
  dkim_selector: dkim ? keyName(dkim) : null,
  checked_at,
  findings,
});

const SELECTOR = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Reads the headers of an email, or a selector. Of several signatures, that of the domain counts. */
function signatureIn(pasted: string, own: string): Signature {
  const text = pasted.trim().toLowerCase();
  const [selector, domain = own] = text.split('._domainkey.');
  // A line that begins with a space belongs to the one before.
  const lines = text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const signatures = lines.map(line => tagsOf(line.replace('dkim-signature:', '')));
  const found = [
    { selector, domain },
    ...signatures.map(tags => ({ selector: tags.get('s'), domain: tags.get('d') })),
  ].flatMap(({ selector = '', domain = '' }) =>
    SELECTOR.test(selector) && normalizeDomain(domain) ? [{ selector, domain }] : [],
  );
  const [first] = found.toSorted((a, b) => Number(b.domain === own) - Number(a.domain === own));
  if (first) return first;
  throw invalid('dkim', 'Paste the DKIM-Signature of a test email, with d= and s=, or its selector');
}
