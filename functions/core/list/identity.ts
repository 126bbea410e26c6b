import { newId } from '#core/id.ts';
import { type Changing, recorded, withdrawnWrites } from '#core/organization/record.ts';
import type { Domains, ProviderDomain } from '#core/provider.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically, type Write } from '#core/storage/write.store.ts';
import type { DnsRecord, Identity, IdentityStatus } from '#shared/identity.ts';
import { DOMAIN_PROVIDER, titleOf } from '#shared/providers.ts';
import * as store from './identity.store.ts';
import * as listStore from './list.store.ts';

/** Each answers what stands in the DNS: nothing, if there is no such record; undefined if no server gave an answer. */
export type Dns = {
  txt: (name: string) => Promise<string[] | undefined>;
  cname: (name: string) => Promise<string[] | undefined>;
  mx: (name: string) => Promise<string[] | undefined>;
};

type Failed = (what: string, error: unknown) => void;
type Purging = { table: Table; domains: Domains };
type Needs = Purging & Changing & { failed: Failed };
type List = Pick<listStore.StoredList, 'organization_id' | 'domain'>;

const TITLE = titleOf(DOMAIN_PROVIDER);
const CONFLICT = 'Another change of this domain is under way. Please try again.';
/** The account of a stage has a limit for the domains of all organizations. Anybody can claim what they do not own. */
const MOST_CLAIMS = 50;
const MOST_UNPROVEN = 10;
const LONGEST_TOKEN = 24;

type Wanted = Omit<DnsRecord, 'found'>;

const proofNameOf = (domain: string) => `_letterflow.${domain}`;

/** The record by which an organization shows that a domain is theirs. */
const proofOf = ({ domain, token }: store.Claim): Wanted => ({
  type: 'TXT',
  name: proofNameOf(domain),
  value: `letterflow=${token}`,
});

const recordsOf = (claim: store.Claim): Wanted[] => [
  proofOf(claim),
  ...claim.records.map(record => ({ type: 'CNAME' as const, ...record })),
];

export async function shown({ table }: { table: Table }, list: List): Promise<Identity> {
  const { claim, owner } = await store.read(table, list.organization_id, list.domain);
  return claim ? described(claim, owner) : unclaimed(list);
}

/** Adds the domain of a list for its organization. Done twice, it is added once. */
export async function claim(needs: Needs, list: List): Promise<Identity> {
  const { table, now } = needs;
  const { organization_id, domain } = list;
  const known = await store.readClaim(table, organization_id, domain);
  const notes = recordedWrites(needs, organization_id, {}, { ses_domain: domain });
  if (!known) {
    await requirePlace(needs, organization_id);
    const created = {
      organization_id,
      domain,
      token: newId(LONGEST_TOKEN),
      records: [],
      found: [],
      created_at: now.toISOString(),
    };
    await store.create(table, created, notes);
  }
  const { claim: added, owner } = await store.read(table, organization_id, domain);
  if (!added) throw new Refusal('conflict', CONFLICT);
  if (added.records.length > 0) return described(added, owner);
  const asked = await askAnew(needs, domain);
  if (typeof asked === 'string') {
    const withdrawn = known
      ? recordedWrites(needs, organization_id, { ses_domain: domain }, {})
      : withdrawnWrites(table, notes);
    await store.remove(table, added, owner, withdrawn);
    throw refusal(domain, asked);
  }
  const noted = asked ? await store.note(table, added, { records: asked.records }) : added;
  return noted ? described(noted, owner) : unclaimed(list);
}

type Claimed = { ses_domain?: string };

const recordedWrites = (needs: Changing, organization: number, from: Claimed, to: Claimed) =>
  recorded(needs, organization, { kind: 'organization', from, to });

async function requirePlace(needs: Needs, organization: number): Promise<void> {
  const fault = async (): Promise<string | undefined> => {
    const claims = await store.readAll(needs.table, organization);
    const unproven = claims.filter(({ domain, found }) => !found.includes(proofNameOf(domain)));
    if (claims.length >= MOST_CLAIMS)
      return `An organization may add up to ${MOST_CLAIMS} domains. Remove one first.`;
    return unproven.length >= MOST_UNPROVEN
      ? `${MOST_UNPROVEN} domains wait for their TXT record. Enter it for one of them and check it, or remove one, first.`
      : undefined;
  };
  if (!(await fault())) return;
  await releaseUnused(needs, organization);
  const left = await fault();
  if (left) throw invalid('domain', left);
}

/** The domain at the provider, which is created there unless it is known. Undefined if the provider gives no answer. */
const ask = (needs: Needs, domain: string) => quietly(needs, needs.domains.ensure(domain));

/** Creates a domain again that the provider has given up. An organization that never proved it would block its owner otherwise. */
async function askAnew(needs: Needs, domain: string) {
  const asked = await ask(needs, domain);
  if (typeof asked !== 'object' || asked.isVerified || !asked.hasFailed) return asked;
  await quietly(needs, needs.domains.remove(domain));
  return ask(needs, domain);
}

async function quietly<T>({ failed }: { failed: Failed }, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    failed('the provider does not answer about a domain', error);
    return undefined;
  }
}

const refusal = (domain: string, reason: 'foreign' | 'refused') =>
  invalid(
    'domain',
    reason === 'foreign'
      ? `The account at ${TITLE} uses ${domain} for something else, so no list can send from it. Ask whoever operates this site.`
      : `${TITLE} does not take ${domain}. Check the domain of the list.`,
  );

type Look = {
  known: ProviderDomain | undefined;
  found: string[];
  /** The texts beside the token; undefined if no server gave an answer. */
  texts: string[] | undefined;
};
type Read = { claim: store.Claim; owner: store.Owner; other: store.Claim | undefined; look: Look };

/**
 * Looks for the records, and stores whose the domain is. The owner is read before the DNS, and written on condition that it is
 * as it was read: of two checks, the one that looked later counts.
 */
export async function check(needs: Needs & { dns: Dns }, list: List): Promise<Identity> {
  const { table, now, domains } = needs;
  const { organization_id: organization, domain } = list;
  const read = async (): Promise<Read> => {
    const { claim, owner } = await store.read(table, organization, domain);
    if (!claim || !owner) throw new Refusal('conflict', `${domain} is not added yet. Add it first.`);
    const isForeign = owner.organization !== undefined && owner.organization !== organization;
    const other = isForeign ? await store.readClaim(table, Number(owner.organization), domain) : undefined;
    return { claim, owner, other, look: await lookFor(needs, claim) };
  };
  const write = async ({ claim, owner, other, look }: Read): Promise<Identity | undefined> => {
    const { known, found } = look;
    const seen = {
      found,
      ...(known && { records: known.records, has_failed: known.hasFailed }),
      checked_at: now.toISOString(),
    };
    const after = ownerAfter(claim, owner, other, look, now);
    const mayBeVerified = after.organization === organization && after.verified_at !== undefined;
    // Whatever the provider needs is there before anything is sent.
    const isReady = !mayBeVerified || (await quietly(needs, admit(domains, organization, domain)));
    // Without its answer, what is verified stays so.
    const judged = isReady || store.isVerified(claim, owner) ? after : { organization: after.organization };
    if (!(await store.judge(table, claim, seen, owner, judged))) return undefined;
    if (other && after.organization === organization) {
      await quietly(needs, domains.dismiss(other.organization_id, domain));
    }
    const isSilent = !known || !isReady ? TITLE : look.texts ? undefined : `The DNS of ${domain}`;
    const answer = described({ ...claim, ...seen }, { ...owner, verified_at: undefined, ...judged });
    if (!isSilent || answer.status === 'verified') return answer;
    return { ...answer, message: `${isSilent} gave no answer. Please check again in a minute.` };
  };
  return optimistically({ read, write, conflict: CONFLICT });
}

const admit = (domains: Domains, organization: number, domain: string) =>
  domains.admit(organization, domain).then(() => true);

async function lookFor(needs: Needs & { dns: Dns }, claim: store.Claim): Promise<Look> {
  const { dns } = needs;
  const known = await ask(needs, claim.domain);
  if (typeof known === 'string') throw refusal(claim.domain, known);
  const wanted = recordsOf({ ...claim, ...(known && { records: known.records }) });
  const answers = await Promise.all(
    wanted.map(({ type, name }) => (type === 'TXT' ? dns.txt(name) : dns.cname(name))),
  );
  const found = wanted.filter(({ name, value }, at) => {
    const answer = answers[at];
    // Without an answer, the last one counts.
    return answer ? answer.includes(value) : claim.found.includes(name);
  });
  return { known, found: found.map(({ name }) => name), texts: answers[0] };
}

/** A domain belongs to the organization whose record is in the DNS. If the record of the present owner is there too, it keeps the domain. */
function ownerAfter(
  claim: store.Claim,
  owner: store.Owner,
  other: store.Claim | undefined,
  { texts = [], known }: Look,
  now: Date,
): Pick<store.Owner, 'organization' | 'verified_at'> {
  const stands = (of: store.Claim | undefined) => of !== undefined && texts.includes(proofOf(of).value);
  const { organization, verified_at } = owner;
  const isOwn = organization === claim.organization_id;
  if (!isOwn && (!stands(claim) || stands(other))) return { organization, verified_at };
  const before = isOwn ? verified_at : undefined;
  const isVerified = known ? known.isVerified : before !== undefined;
  return {
    organization: claim.organization_id,
    verified_at: isVerified ? (before ?? now.toISOString()) : undefined,
  };
}

/** Removes the domain of an organization, and records it. */
export const release = (needs: Purging & Changing, organization: number, domain: string): Promise<void> =>
  remove(needs, organization, domain, recordedWrites(needs, organization, { ses_domain: domain }, {}));

/** From the provider too if nobody else has added it. Done twice, it changes nothing. */
async function remove(
  { table, domains }: Purging,
  organization: number,
  domain: string,
  notes: Write[] = [],
): Promise<void> {
  await optimistically({
    read: () => store.read(table, organization, domain),
    write: async ({ claim, owner }) => {
      if (!claim) return true;
      // At the provider first: if this process dies, the claim is still there, and the next call finishes the work.
      await domains.dismiss(organization, domain);
      if (!owner || owner.claims === 1) await domains.remove(domain);
      return (await store.remove(table, claim, owner, notes)) || undefined;
    },
    conflict: CONFLICT,
  });
}

/** Removes domains that no list of the organization has any more. */
export async function releaseUnused(needs: Purging, organization: number): Promise<void> {
  const claims = await store.readAll(needs.table, organization);
  if (claims.length === 0) return;
  const lists = await listStore.readAllUncounted(needs.table, organization);
  const used = new Set(lists.map(({ domain }) => domain));
  for (const { domain } of claims) if (!used.has(domain)) await remove(needs, organization, domain);
}

/** Of a deleted organization. */
export async function purge(needs: Purging, organization: number): Promise<void> {
  const claims = await store.readAll(needs.table, organization);
  for (const { domain } of claims) await remove(needs, organization, domain);
  await needs.domains.removeOrganization(organization);
}

const unclaimed = ({ domain }: List): Identity => ({
  domain,
  status: 'unclaimed',
  records: [],
  checked_at: null,
  message: `Add ${domain} to ${TITLE} to get the records for its DNS.`,
});

function described(claim: store.Claim, owner: store.Owner | undefined): Identity {
  const { domain, checked_at = null } = claim;
  const records = recordsOf(claim).map(record => ({ ...record, found: claim.found.includes(record.name) }));
  const status = statusOf(claim, owner);
  const missing = records.filter(({ found }) => !found).length;
  const message = MESSAGES[status]({ domain, records, missing, isChecked: checked_at !== null });
  return { domain, status, records, checked_at, message };
}

function statusOf(claim: store.Claim, owner: store.Owner | undefined): IdentityStatus {
  // Who cannot show that the domain is theirs does not learn who is here.
  const isProven = claim.found.includes(proofNameOf(claim.domain));
  const isForeign = owner?.organization !== undefined && owner.organization !== claim.organization_id;
  if (isForeign && isProven) return 'taken';
  if (store.isVerified(claim, owner)) return 'verified';
  return claim.has_failed ? 'failed' : 'pending';
}

type Facts = { domain: string; records: DnsRecord[]; missing: number; isChecked: boolean };

const counted = (count: number, all: number) =>
  count === all
    ? 'None of the records is found yet.'
    : `${count} of ${all} records ${count === 1 ? 'is' : 'are'} missing.`;

const MESSAGES: Record<IdentityStatus, (facts: Facts) => string> = {
  unclaimed: ({ domain }) => unclaimed({ domain, organization_id: 0 }).message,
  pending: ({ domain, records, missing, isChecked }) => {
    if (records.length === 1)
      return `${TITLE} has not answered with its records yet. Check again in a minute.`;
    if (!isChecked) return `Enter these records where the DNS of ${domain} is managed, then check again.`;
    if (missing === 0)
      return `All records are found. ${TITLE} verifies the domain now: check again in some minutes.`;
    return `${counted(missing, records.length)} A new record may take an hour to be seen: check again then.`;
  },
  verified: ({ domain, records }) =>
    records.some(({ type, found }) => type === 'TXT' && !found)
      ? `Lists may send from ${domain}. Its TXT record is gone: enter it again, or another organization may take the domain over.`
      : `Lists may send from ${domain}.`,
  taken: ({ domain }) =>
    `Another organization here sends from ${domain}. If the domain is yours, replace the TXT record of that organization by yours, then check again.`,
  failed: ({ domain }) =>
    `${TITLE} has not found the records within 72 hours, and looks for them no more. Remove ${domain}, add it again, and enter the records that are shown then.`,
};
