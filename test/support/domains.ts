import type { Dns } from '#core/list/identity.ts';
import type { TrackingDomains } from '#core/list/tracking-domain.ts';
import type { Domains } from '#core/provider.ts';

type Known = { isVerified: boolean; hasFailed: boolean; records: { name: string; value: string }[] };

/** The account of a provider that verifies domains: when the test says so, or when its records stand in a DNS. */
export function domainsAt(dns?: Pick<Dns, 'cname'>) {
  const known = new Map<string, Known>();
  const foreign = new Set<string>();
  const admitted = new Set<string>();
  let created = 0;
  let isDown = false;
  const answering = () => {
    if (isDown) throw new Error('The provider does not answer');
  };
  const domains: Domains = {
    async ensure(domain) {
      answering();
      if (foreign.has(domain)) return 'foreign';
      if (!known.has(domain)) {
        const tokens = ['a', 'b', 'c'].map(letter => `${letter}${created}`);
        created++;
        const records = tokens.map(token => ({
          name: `${token}._domainkey.${domain}`,
          value: `${token}.dkim.provider.example`,
        }));
        known.set(domain, { isVerified: false, hasFailed: false, records });
      }
      const there = known.get(domain) as Known;
      if (dns) {
        const answers = await Promise.all(there.records.map(({ name }) => dns.cname(name)));
        there.isVerified = there.records.every(({ value }, at) => answers[at]?.includes(value));
      }
      return { ...there };
    },
    async remove(domain) {
      answering();
      known.delete(domain);
    },
    async admit(organization, domain) {
      answering();
      admitted.add(`${organization} ${domain}`);
    },
    async dismiss(organization, domain) {
      answering();
      admitted.delete(`${organization} ${domain}`);
    },
    async removeOrganization(organization) {
      answering();
      for (const one of admitted) if (one.startsWith(`${organization} `)) admitted.delete(one);
    },
  };
  return {
    domains,
    known,
    foreign,
    admitted,
    verify: (domain: string, change: Partial<Known> = { isVerified: true }) =>
      void Object.assign(known.get(domain) as Known, change),
    setDown(down: boolean) {
      isDown = down;
    },
  };
}

/** A DNS whose records a test sets. `looked` is called before each answer. */
export function dnsOf(looked: () => Promise<void> = async () => {}) {
  const records = new Map<string, string[]>();
  let isSilent = false;
  const answer = async (name: string) => {
    await looked();
    return isSilent ? undefined : (records.get(name) ?? []);
  };
  const dns: Dns = { txt: answer, cname: answer, mx: name => answer(`MX ${name}`) };
  return {
    dns,
    set: (name: string, ...values: string[]) => void records.set(name, values),
    setSilent(silent: boolean) {
      isSilent = silent;
    },
  };
}

/** Who serves tracking domains: each is active at the second call. */
export function trackingAt() {
  const served = new Map<string, Awaited<ReturnType<TrackingDomains['ensure']>>>();
  const counts = { asked: 0, removals: 0 };
  let isDown = false;
  const answering = () => {
    if (isDown) throw new Error('CloudFront does not answer');
  };
  const trackingDomains: TrackingDomains = {
    async ensure(domain, mayAskAgain) {
      answering();
      const before = served.get(domain);
      if (before === 'failed' && (await mayAskAgain())) counts.asked++;
      if (!before || before === 'issuing') served.set(domain, before ? 'active' : 'issuing');
      return served.get(domain) ?? 'issuing';
    },
    async remove(domain) {
      counts.removals++;
      answering();
      served.delete(domain);
    },
  };
  return {
    trackingDomains,
    get asked() {
      return counts.asked;
    },
    get removals() {
      return counts.removals;
    },
    served,
    setDown(down: boolean) {
      isDown = down;
    },
  };
}
