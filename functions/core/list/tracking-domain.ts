import type { Changing } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically, type Write } from '#core/storage/write.store.ts';
import { normalizeDomain } from '#shared/address.ts';
import type { TrackingDomain, TrackingStatus } from '#shared/identity.ts';
import type { Dns } from './identity.ts';
import * as listStore from './list.store.ts';
import { recordedWrites } from './list.ts';
import * as store from './tracking-domain.store.ts';

/** Serves the links of domains, each with a certificate of its own. Each call may be repeated. */
export type TrackingDomains = {
  /** `pending`: the record is not seen there yet; `taken`: the domain is served for somebody else. */
  /** `mayAskAgain`: whether it may ask for another certificate, as the account may have so many a year. */
  ensure: (
    domain: string,
    mayAskAgain: () => Promise<boolean>,
  ) => Promise<Exclude<TrackingStatus, 'unavailable' | 'unclaimed'>>;
  remove: (domain: string) => Promise<void>;
};

/** Records lead to names below this one; it is empty if the stage has none. */
type Place = { target: string; publicUrl: string };
type Needs = {
  table: Table;
  now: Date;
  place: Place;
  dns: Pick<Dns, 'cname'>;
  trackingDomains: TrackingDomains;
  failed: (what: string, error: unknown) => void;
};
type List = listStore.StoredList;

/** Each is served, and costs, as long as its organization exists: links already sent lead to it. */
const MOST_DOMAINS = 20;
/** The name in a certificate: https://docs.aws.amazon.com/acm/latest/userguide/acm-certificate-characteristics.html */
const LONGEST_DOMAIN = 64;
const CONFLICT = 'Another change of this email list is under way. Please try again.';

/** The record names the list: nobody else can enter it in the DNS of the domain, and it leads nowhere else. */
const targetOf = ({ target }: Place, { id }: List) => `${id}.${target}`;

/** The domain that links of new emails have; undefined if they have the address of the stage. */
export const activeDomain = ({ tracking_domain }: Pick<List, 'tracking_domain'>): string | undefined =>
  tracking_domain?.status === 'active' ? tracking_domain.domain : undefined;

export function shown(place: Place, list: List): TrackingDomain {
  const state = list.tracking_domain;
  if (!place.target || !state) {
    const status = place.target ? 'unclaimed' : 'unavailable';
    const domain = `link.${list.domain}`;
    return { domain, status, records: [], checked_at: null, message: MESSAGES[status]({ domain }) };
  }
  const { domain, status, found = false, checked_at = null } = state;
  const records = [{ type: 'CNAME' as const, name: domain, value: targetOf(place, list), found }];
  return { domain, status, records, checked_at, message: MESSAGES[status](state) };
}

/** Adds a domain to a list. That alone takes it from nobody: its record decides. */
export async function claim(needs: Changing & Pick<Needs, 'place'>, list: List, domain: string) {
  const { table, place } = needs;
  if (!place.target) throw new Refusal('conflict', MESSAGES.unavailable({ domain }));
  requireUsable(place, list, domain);
  const lists = await listStore.readAllUncounted(table, list.organization_id);
  const other = lists.find(({ id, tracking_domain }) => id !== list.id && tracking_domain?.domain === domain);
  if (other) throw invalid('domain', `The list “${other.name}” uses ${domain}. Remove it there first.`);
  return changed(table, list, async before => {
    const known = before.tracking_domain;
    if (known && known.domain !== domain) throw invalid('domain', `Remove ${known.domain} first.`);
    if (known) return shown(place, before);
    const tracking_domain = { domain, status: 'pending' } as const;
    const note = recordedWrites(needs, before, { ...before, tracking_domain });
    return written(table, place, before, tracking_domain, note);
  });
}

function requireUsable({ target, publicUrl }: Place, list: List, domain: string): void {
  const isBelow = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  if (isBelow(new URL(publicUrl).hostname) || isBelow(target)) {
    throw invalid('domain', 'This is a domain of this site. Choose one of your own.');
  }
  if (domain === list.domain || domain.split('.').length < 3) {
    throw invalid('domain', `Links need a name of their own, such as link.${list.domain}`);
  }
  if (domain.length > LONGEST_DOMAIN) {
    throw invalid('domain', `A tracking domain has up to ${LONGEST_DOMAIN} characters`);
  }
}

/** Looks where the record leads, and has the domain served once it leads here. */
export function check(needs: Needs, list: List): Promise<TrackingDomain> {
  const { table, now, place, dns } = needs;
  return changed(table, list, async before => {
    const known = before.tracking_domain;
    if (!known) throw new Refusal('conflict', 'No tracking domain is added yet. Add one first.');
    const { domain } = known;
    const targets = await dns.cname(domain);
    if (!targets) return silent(shown(place, before), `The DNS of ${domain}`);
    const found = targets.includes(targetOf(place, before));
    const served = found ? await serve(needs, before, domain) : 'pending';
    const state = {
      domain,
      found,
      // Without an answer, what is served stays so.
      status: served ?? (known.status === 'active' ? 'active' : 'issuing'),
      ...(!found && { leads_to: normalizeDomain(targets[0] ?? '') }),
      checked_at: now.toISOString(),
    };
    const after = await written(table, place, before, state);
    return after && !served ? silent(after, 'Amazon CloudFront') : after;
  });
}

const silent = (answer: TrackingDomain, who: string): TrackingDomain => ({
  ...answer,
  message: `${who} gave no answer. Please check again in a minute.`,
});

/** Undefined if who serves it gives no answer. It is kept whose it is before it is served: nothing is served that no purge finds. */
async function serve(
  { table, now, trackingDomains, failed }: Needs,
  { organization_id }: List,
  domain: string,
) {
  let owner = await store.ownerOf(table, domain);
  if (owner === undefined) {
    if ((await store.readAll(table, organization_id)).length >= MOST_DOMAINS) {
      const most = `An organization may have up to ${MOST_DOMAINS} tracking domains, those of earlier lists included.`;
      throw new Refusal('conflict', most);
    }
    await store.own(table, organization_id, domain);
    owner = await store.ownerOf(table, domain);
  }
  if (owner !== organization_id) return 'taken';
  try {
    return await trackingDomains.ensure(domain, () => store.noteAsked(table, organization_id, domain, now));
  } catch (error) {
    failed('a tracking domain cannot be served', error);
    return undefined;
  }
}

/** It is still served, as links already sent lead to it. */
export async function release(needs: Changing, list: List): Promise<void> {
  const { tracking_domain: _, ...after } = list;
  const others = recordedWrites(needs, list, after);
  await listStore.change(needs.table, list, { drop: ['tracking_domain'], others });
}

/** Of a deleted organization. Nobody gets its domains. */
export async function purge(
  { table, trackingDomains }: Pick<Needs, 'table'> & { trackingDomains: Pick<TrackingDomains, 'remove'> },
  organization: number,
): Promise<void> {
  const failures: unknown[] = [];
  for (const domain of await store.readAll(table, organization)) {
    try {
      await trackingDomains.remove(domain);
      await store.forget(table, organization, domain);
    } catch (error) {
      failures.push(error);
    }
  }
  // Each takes two calls with minutes between: all of them begin with the first one.
  if (failures.length > 0) throw failures[0];
}

const changed = (
  table: Table,
  list: List,
  write: (before: List) => Promise<TrackingDomain | undefined>,
): Promise<TrackingDomain> =>
  optimistically({ known: list, read: () => listStore.readExisting(table, list), write, conflict: CONFLICT });

async function written(
  table: Table,
  place: Place,
  before: List,
  tracking_domain: listStore.TrackingState,
  others: Write[] = [],
) {
  const change = { set: { tracking_domain }, provided: ['tracking_domain' as const], others };
  const after = await listStore.change(table, before, change);
  return after && shown(place, after);
}

type Facts = Pick<listStore.TrackingState, 'domain' | 'found' | 'leads_to' | 'checked_at'>;

const MESSAGES: Record<TrackingStatus, (facts: Facts) => string> = {
  unavailable: () =>
    'This site has no domain of its own, which records of yours could lead to. Links in emails have the address of this site. Ask whoever operates it.',
  unclaimed: () => 'Links in emails have the address of this site. Add a domain of yours to replace it.',
  pending: ({ domain, found, leads_to, checked_at }) => {
    if (found) return 'The record is found. Amazon has not seen it yet: check again in some minutes.';
    if (leads_to)
      return `${domain} leads to ${leads_to}. Replace that by the record below, then check again.`;
    return checked_at
      ? 'The record is not found yet. A new record may take an hour to be seen: check again then. A proxy of your DNS service must be off for it.'
      : `Enter this record where the DNS of ${domain} is managed, then check again.`;
  },
  issuing: ({ domain }) =>
    `The record is found, and ${domain} gets its certificate: check again in some minutes. Until then, links have the address of this site.`,
  active: ({ domain }) => `Links of new emails lead to ${domain}. Leave its record as it is.`,
  taken: ({ domain }) =>
    `${domain} has been used by another organization or site, whose links lead to it. Choose another name.`,
  failed: ({ domain }) =>
    `${domain} got no certificate. If its DNS has CAA records, allow amazon.com. It is asked for again once a day: check again then.`,
};
