import { setTimeout } from 'node:timers/promises';
import { CHECKS, type Check, type Finding, type FindingState } from '#shared/domain-check.ts';
import type { Dns } from './identity.ts';

/** Where a signature of an email names its key. `target`: what the name must point to, if the provider has the key. */
export type Signature = { domain: string; selector: string; target?: string };
export type Subject = {
  domain: string;
  /** That of the address to which answers go. */
  replies: string;
  /** `include`: what the SPF record must include; without one, the return path is a domain of the provider. */
  provider: { title: string; include: string | undefined };
  signatures: Signature[];
  publicUrl: string;
};

type Verdict = [state: FindingState, message: string, found?: string, record?: Finding['record']];
type Look = Pick<Dns, 'txt' | 'mx'>;

/** Of all lookups together. What has no answer by then is unknown. */
const MOST_MS = 6_000;
/** The texts are somebody else's: they are shortened, and what is not printable is replaced. */
const LONGEST_TEXT = 300;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const SILENT: Verdict = ['unknown', 'The DNS gave no answer. Check again in a minute.'];

/** What mailbox providers find about emails from a domain. */
export async function findingsOf(dns: Dns, of: Subject, mostMs = MOST_MS): Promise<Finding[]> {
  const late = setTimeout(mostMs, undefined, { ref: false });
  const bounded = (ask: Dns['txt']) => async (name: string) =>
    NAME.test(name) ? Promise.race([ask(name), late]) : undefined;
  const look = { txt: bounded(dns.txt), mx: bounded(dns.mx) };
  const finding = async (check: Check): Promise<Finding> => {
    const [state, message, found, wanted] = await JUDGES[check](look, of);
    const record = wanted && wanted.value === shown(wanted.value) ? wanted : null;
    return { check, state, message, found: found ? shown(found) : null, record };
  };
  return Promise.all(CHECKS.map(finding));
}

const shown = (text: string) =>
  (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text).replaceAll(/[^\x20-\x7e…]/g, '?');

const JUDGES: Record<Check, (look: Look, of: Subject) => Promise<Verdict>> = {
  async spf(look, { domain, provider: { title, include } }) {
    if (!include) return ['ok', `${title} passes SPF, but not as ${domain}: DMARC passes by DKIM alone.`];
    const records = (await look.txt(domain))?.filter(isSpf);
    if (!records) return SILENT;
    const [text, another] = records;
    const record = (value: string) => txt(domain, value);
    if (!text) return ['broken', 'There is no SPF record.', '', record(`v=spf1 include:${include} ~all`)];
    if (another) return ['broken', 'Receivers ignore several SPF records. Keep one.', records.join(' | ')];
    const walk: SpfWalk = { include, lookups: 0, hasProvider: false, isSilent: false };
    await followSpf(look, text, walk);
    const long = 'The SPF record fails: it takes more than 10 lookups. Remove what you do not use.';
    if (walk.lookups > MOST_SPF_LOOKUPS) return ['broken', long, text];
    if (walk.invalid) return ['broken', `The SPF record fails: ${walk.invalid} has none, or several.`, text];
    if (walk.hasProvider) return ['ok', `${title} may send for ${domain}.`, text];
    if (walk.isSilent) return SILENT;
    const included = record(text.replace(/^v=spf1/i, `$& include:${include}`));
    return ['broken', `The SPF record does not let ${title} send.`, text, included];
  },

  async dkim(look, { signatures, provider: { title, include }, domain }) {
    const verdicts = await Promise.all(signatures.map(signature => judgeKey(look, domain, signature)));
    const worst = WORST.map(state => verdicts.find(([of]) => of === state)).find(Boolean);
    if (worst) return worst;
    if (!include) return ['unknown', `Add the domain to ${title} first: it names the keys.`];
    return ['unknown', 'Send a test email to yourself and paste its headers below: they name the key.'];
  },

  async dmarc(look, { domain }) {
    const walk = await walkTree(look, domain);
    const policy = policyOf(walk, domain);
    const record = (value: string) => txt(`_dmarc.${domain}`, value);
    if (!policy && walk.isSilent) return SILENT;
    const none = 'There is no DMARC record, or several. Gmail and Yahoo ask for one.';
    if (!policy) return ['broken', none, '', record('v=DMARC1; p=none')];
    const { at, tags, text } = policy;
    const tag = (name: string) => tags.get(name)?.toLowerCase();
    const isPolicy = (value = '') => ['none', 'quarantine', 'reject'].includes(value);
    const isValid = isPolicy(tag('p')) && ['sp', 'np'].every(name => !tags.has(name) || isPolicy(tag(name)));
    // RFC 9989, 4.10.1: an invalid policy counts as none if the record has an address for reports; else it does not count.
    const invalid = `Receivers ignore the DMARC record of ${at}: its policy is not valid.`;
    const isRead = isValid || tag('rua')?.includes('mailto:');
    if (!isRead) return ['broken', invalid, text, record('v=DMARC1; p=none')];
    const wanted = isValid ? ((at === domain ? undefined : tag('sp')) ?? tag('p') ?? 'none') : 'none';
    // Without t, and without pct, rf and ri, which RFC 9989 has removed.
    const kept = ['adkim', 'aspf', 'rua', 'ruf', 'fo', ...(at === domain ? ['sp', 'np', 'psd'] : [])];
    const others = kept.flatMap(name => (tags.has(name) ? [`; ${name}=${tags.get(name)}`] : []));
    const better = record(`v=DMARC1; p=${wanted === 'none' ? 'quarantine' : wanted}${others.join('')}`);
    const open = 'Receivers deliver what others send in your name. Change it when your own emails pass.';
    if (wanted === 'none') return ['warning', `The policy is none. ${open}`, text, better];
    if (tag('t') === 'y') return ['warning', `The policy is in test mode. ${open}`, text, better];
    return ['ok', `Receivers are asked to ${wanted} what others send in your name.`, text];
  },

  async mx(look, { replies }) {
    const hosts = await look.mx(replies);
    if (!hosts) return SILENT;
    // RFC 7505: a server without a name.
    if (hosts.includes('')) return ['broken', `${replies} takes no email, so replies fail.`, '0 .'];
    const none = `${replies} has no mail server, so replies may be lost. Add one, or set a reply-to address.`;
    if (hosts.length === 0) return ['warning', none];
    return ['ok', `Replies go to the mail servers of ${replies}.`, hosts.join(', ')];
  },

  async one_click(_, { publicUrl }) {
    const found = `List-Unsubscribe: <${publicUrl}/…>; List-Unsubscribe-Post: List-Unsubscribe=One-Click`;
    // RFC 8058, 3.1
    if (publicUrl.startsWith('https:')) return ['ok', 'One click unsubscribes from each email.', found];
    return ['warning', 'This site has no https address: mail programs show no unsubscribe button.', found];
  },
};

const txt = (name: string, value: string) => ({ type: 'TXT' as const, name, value });

/** Of several keys, that in the first of these states is shown. */
const WORST: FindingState[] = ['broken', 'warning', 'unknown', 'ok'];
const MOST_SPF_LOOKUPS = 10;
type SpfWalk = {
  include: string;
  lookups: number;
  hasProvider: boolean;
  isSilent: boolean;
  invalid?: string;
};

const isSpf = (text: string) => /^v=spf1(\s|$)/i.test(text);

/** Counts what a receiver looks up, and looks for the provider: RFC 7208, 4.6.4 and 5.2. */
async function followSpf(look: Look, record: string, walk: SpfWalk): Promise<void> {
  const [before = '', all] = record.toLowerCase().split(/\s[+?~-]?(all)(?:\s|$)/);
  const terms = before.split(/\s+/).slice(1);
  const isRedirect = (term: string) => term.startsWith('redirect=');
  // RFC 7208, 6.1: a redirect comes last, and not at all beside `all`.
  const ordered = [...terms.filter(term => !isRedirect(term)), ...(all ? [] : terms.filter(isRedirect))];
  for (const term of ordered) {
    const [, sign, name, target = ''] =
      /^([+?~-]?)(include|redirect|a|mx|ptr|exists)(?:[:=/](.*))?$/.exec(term) ?? [];
    if (!name) continue;
    if (++walk.lookups > MOST_SPF_LOOKUPS || walk.invalid) return;
    if ((name !== 'include' && name !== 'redirect') || (sign && sign !== '+')) continue;
    if (`.${target}`.endsWith(`.${walk.include}`)) walk.hasProvider = true;
    const records = (await look.txt(target))?.filter(isSpf);
    const [next, another] = records ?? [];
    if (!records) walk.isSilent = true;
    else if (!next || another) walk.invalid = target;
    else await followSpf(look, next, walk);
  }
}

const RSA_1024_BYTES = 128;
const RSA_2048_BYTES = 256;

async function judgeKey(look: Look, author: string, signature: Signature): Promise<Verdict> {
  const { domain, target } = signature;
  const name = keyName(signature);
  const keys = keysIn(await look.txt(name));
  if (!keys) return SILENT;
  const [key] = keys;
  const record = target ? ({ type: 'CNAME', name, value: target } as const) : null;
  if (!key) return ['broken', `There is no key at ${name}. Copy it from your mail provider.`, '', record];
  const base64 = key.tags.get('p')?.replaceAll(/\s/g, '') ?? '';
  if (base64 === '') return ['broken', `The key at ${name} is revoked.`, key.text, record];
  // An encoded RSA key has some bytes more than its modulus. Keys of other kinds are short.
  const isRsa = /^rsa$/i.test(key.tags.get('k') ?? 'rsa');
  const bytes = isRsa ? Buffer.from(base64, 'base64').length : RSA_2048_BYTES;
  // RFC 8301, 3.2
  if (bytes < RSA_1024_BYTES)
    return ['broken', `Receivers do not accept the key at ${name}: it has less than 1,024 bits.`, key.text];
  const aligned = await isAligned(look, author, domain);
  if (aligned === undefined) return SILENT;
  if (!aligned)
    return ['warning', `Emails are signed as ${domain}, which DMARC does not count for ${author}.`, key.text];
  if (bytes < RSA_2048_BYTES) return ['warning', `The key at ${name} has less than 2,048 bits.`, key.text];
  return ['ok', `Emails are signed as ${domain}.`, key.text];
}

export const keyName = ({ domain, selector }: Signature) => `${selector}._domainkey.${domain}`;

/** RFC 6376, 3.6.1 */
export const keysIn = (texts: string[] | undefined) =>
  texts
    ?.map(text => ({ text, tags: tagsOf(text) }))
    .filter(({ tags }) => tags.has('p') && (tags.get('v') ?? 'DKIM1') === 'DKIM1');

export function tagsOf(text: string): Map<string, string> {
  const tags = text.matchAll(/(?:^|;)\s*(\w+)\s*=([^;]*)/g);
  return new Map([...tags].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
}

type Policy = { at: string; text: string; tags: Map<string, string> };
type TreeWalk = { policies: Policy[]; isSilent: boolean };
const MOST_LABELS = 8;

/** RFC 9989, 4.10: the policies of a domain and of those above it, the longest name first. All are looked up at once. */
async function walkTree({ txt }: Look, domain: string): Promise<TreeWalk> {
  const labels = domain.split('.');
  const above = labels.length < MOST_LABELS ? labels.slice(1) : labels.slice(1 - MOST_LABELS);
  const names = [domain, ...above.map((_, at) => above.slice(at).join('.'))];
  const answers = await Promise.all(names.map(name => txt(`_dmarc.${name}`)));
  const policies: Policy[] = [];
  for (const [index, at] of names.entries()) {
    const [text, another] = answers[index]?.filter(found => /^v\s*=\s*DMARC1\s*(;|$)/.test(found)) ?? [];
    if (text === undefined || another) continue;
    policies.push({ at, text, tags: tagsOf(text) });
    if (/^[yn]$/i.test(policies.at(-1)?.tags.get('psd') ?? '')) break;
  }
  return { policies, isSilent: answers.includes(undefined) };
}

/** RFC 9989, 4.10.2. Below a public suffix, it has one label more. */
function organizationOf({ policies }: TreeWalk, domain: string): string {
  const end = policies.at(-1);
  if (!end || end.at === domain || !/^y$/i.test(end.tags.get('psd') ?? '')) return end?.at ?? domain;
  const below = domain.slice(0, -end.at.length - 1);
  return `${below.slice(below.lastIndexOf('.') + 1)}.${end.at}`;
}

/** RFC 9989, 4.10.1: that of the domain, of its organization, or of the public suffix above. */
function policyOf(walk: TreeWalk, domain: string): Policy | undefined {
  const of = (name: string) => walk.policies.find(({ at }) => at === name);
  const above = walk.isSilent ? undefined : (of(organizationOf(walk, domain)) ?? walk.policies.at(-1));
  return of(domain) ?? above;
}

/** RFC 9989, 4.10.2. Undefined if the DNS gives no answer. */
async function isAligned(look: Look, author: string, signer: string): Promise<boolean | undefined> {
  if (author === signer) return true;
  const [ours, theirs] = await Promise.all([walkTree(look, author), walkTree(look, signer)]);
  if (ours.isSilent || theirs.isSilent) return undefined;
  const isStrict = policyOf(ours, author)?.tags.get('adkim')?.toLowerCase() === 's';
  return !isStrict && organizationOf(ours, author) === organizationOf(theirs, signer);
}
