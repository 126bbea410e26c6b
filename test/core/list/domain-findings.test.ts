import { describe, expect, it } from 'vitest';
import { findingsOf, type Subject } from '#core/list/domain-findings.ts';
import type { Dns } from '#core/list/identity.ts';
import type { Check } from '#shared/domain-check.ts';

type Zone = Record<string, string[] | 'silent'>;
const KEY_2048 = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
const KEY_1024 = `v=DKIM1; p=${'A'.repeat(216)}`;
const KEY_768 = `p=${'A'.repeat(168)}`;

const subject: Subject = {
  domain: 'news.example.com',
  replies: 'example.com',
  provider: { title: 'Mailgun', include: 'mailgun.org' },
  signatures: [{ domain: 'news.example.com', selector: 'k1' }],
  publicUrl: 'https://letters.example.org',
};

const SES = { title: 'Amazon SES', include: undefined };

const dnsOf = (zone: Zone, asked: string[] = []): Dns => {
  const answer = async (name: string) => {
    asked.push(name);
    const found = zone[name] ?? [];
    return found === 'silent' ? undefined : found;
  };
  return { txt: answer, cname: answer, mx: name => answer(`MX ${name}`) };
};

async function found(check: Check, zone: Zone, of: Partial<Subject> = {}) {
  const findings = await findingsOf(dnsOf(zone), { ...subject, ...of });
  const finding = findings.find(one => one.check === check);
  if (!finding) throw new Error(`No finding about ${check}`);
  return finding;
}

describe('SPF', () => {
  const spf = (...texts: string[]) => ({
    'news.example.com': texts,
    'mailgun.org': ['v=spf1 include:_spf.mailgun.org ~all'],
    '_spf.mailgun.org': ['v=spf1 ip4:192.0.2.0/24 ~all'],
    'shop.example.net': ['v=spf1 include:eu.mailgun.org ?all'],
    'eu.mailgun.org': ['v=spf1 -all'],
    'empty.example.net': ['unrelated'],
    'slow.example.net': 'silent' as const,
  });

  it.each([
    ['ok', ['google-site-verification=1', 'v=spf1 include:mailgun.org ~all']],
    ['ok', ['V=SPF1 a mx include:shop.example.net -all']],
    ['ok', ['v=spf1 redirect=shop.example.net']],
    ['broken', ['v=spf1 redirect=shop.example.net -all']],
    ['broken', ['v=spf1 -include:mailgun.org ~all']],
    ['broken', ['v=spf1 ~all include:mailgun.org']],
    ['broken', ['v=spf1 include:mailgun.org.example.net ~all']],
    ['broken', ['v=spf1 include:mailgun.org ~all', 'v=spf1 -all']],
    ['broken', ['v=spf1 include:mailgun.org include:empty.example.net ~all']],
    ['ok', [`v=spf1 ${'a:x.example.com '.repeat(8)}include:mailgun.org ~all`]],
    ['broken', [`v=spf1 ${'a:x.example.com '.repeat(9)}include:mailgun.org ~all`]],
    ['unknown', ['v=spf1 include:slow.example.net ~all']],
    ['unknown', ['v=spf1 include:%{i}.example.net ~all']],
    ['ok', ['v=spf1 include:slow.example.net include:mailgun.org ~all']],
    ['broken', ['v=spf10 include:mailgun.org']],
  ] as const)('is %s with %j', async (state, texts) => {
    expect((await found('spf', spf(...texts))).state).toBe(state);
  });

  it('has a record to copy where there is none, and with Mailgun where it is left out', async () => {
    const name = 'news.example.com';
    expect(await found('spf', {})).toEqual({
      check: 'spf',
      state: 'broken',
      found: null,
      message: 'There is no SPF record.',
      record: { type: 'TXT', name, value: 'v=spf1 include:mailgun.org ~all' },
    });
    expect(await found('spf', { [name]: ['v=spf1 mx -all'] })).toMatchObject({
      found: 'v=spf1 mx -all',
      record: { type: 'TXT', name, value: 'v=spf1 include:mailgun.org mx -all' },
    });
  });

  it('passes at SES without an own record, and says that it is not aligned', async () => {
    const { state, message } = await found('spf', {}, { provider: SES });
    expect([state, message]).toEqual(['ok', expect.stringContaining('DMARC passes by DKIM alone')]);
  });

  it('takes a bounded number of lookups for records that include each other', async () => {
    const asked: string[] = [];
    const loop = ['v=spf1 include:a.example.net include:news.example.com ~all'];
    const dns = dnsOf({ 'news.example.com': loop, 'a.example.net': loop }, asked);
    const [spf] = await findingsOf(dns, subject);
    expect(spf?.message).toContain('more than 10 lookups');
    expect(asked.length).toBeLessThan(25);
  });
});

describe('DKIM', () => {
  const NAME = 'k1._domainkey.news.example.com';

  it.each([
    ['ok', [KEY_2048]],
    ['ok', ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=']],
    ['warning', [KEY_1024]],
    ['broken', [KEY_768]],
    ['broken', ['v=DKIM1; p=']],
    ['broken', ['v=DKIM2; p=AAAA']],
    ['broken', []],
    ['unknown', 'silent'],
  ] as const)('is %s with the key %j', async (state, texts) => {
    expect((await found('dkim', { [NAME]: texts === 'silent' ? texts : [...texts] })).state).toBe(state);
  });

  it('says what to do while nothing names the key', async () => {
    const byMailgun = await found('dkim', {}, { signatures: [] });
    expect([byMailgun.state, byMailgun.message]).toEqual(['unknown', expect.stringContaining('paste')]);
    const bySes = await found('dkim', {}, { signatures: [], provider: SES });
    expect(bySes.message).toBe('Add the domain to Amazon SES first: it names the keys.');
  });

  it('shows the worst of several keys, with the record of the provider to copy', async () => {
    const signatures = ['a', 'b'].map(selector => ({
      selector,
      domain: 'news.example.com',
      target: `${selector}.dkim.amazonses.com`,
    }));
    const zone = { 'a._domainkey.news.example.com': [KEY_2048] };
    expect(await found('dkim', zone, { signatures })).toMatchObject({
      state: 'broken',
      record: { type: 'CNAME', name: 'b._domainkey.news.example.com', value: 'b.dkim.amazonses.com' },
    });
  });

  it.each([
    ['ok', 'example.com', {}],
    ['ok', 'mail.example.com', {}],
    ['warning', 'mailgun.org', {}],
    ['warning', 'example.com', { '_dmarc.example.com': ['v=DMARC1; p=none; adkim=s'] }],
    ['warning', 'example.com', { '_dmarc.news.example.com': ['v=DMARC1; p=none; adkim=s'] }],
    [
      'ok',
      'example.com',
      {
        '_dmarc.news.example.com': ['v=DMARC1; p=none'],
        '_dmarc.example.com': ['v=DMARC1; p=none; adkim=s'],
      },
    ],
    ['warning', 'example.com', { '_dmarc.news.example.com': ['v=DMARC1; p=none; psd=n'] }],
    ['warning', 'other.com', { '_dmarc.com': ['v=DMARC1; p=none; psd=y'], '_dmarc.example.com': [] }],
    ['ok', 'example.com', { '_dmarc.com': ['v=DMARC1; p=none; psd=y'], '_dmarc.example.com': [] }],
    ['unknown', 'example.com', { '_dmarc.com': 'silent' }],
  ] as const)('is %s where %s signs, with %j', async (state, domain, policies) => {
    const zone = {
      [`k1._domainkey.${domain}`]: [KEY_2048],
      '_dmarc.example.com': ['v=DMARC1; p=none'],
      ...policies,
    };
    const signatures = [{ domain, selector: 'k1' }];
    expect((await found('dkim', zone as Zone, { signatures })).state).toBe(state);
  });
});

describe('DMARC', () => {
  const OWN = '_dmarc.news.example.com';
  const ABOVE = '_dmarc.example.com';

  it.each<[string, Zone, value?: string]>([
    ['ok', { [OWN]: ['v=DMARC1; p=reject'] }],
    ['ok', { [OWN]: ['v=DMARC1;p=QUARANTINE;pct=10'] }],
    ['ok', { [OWN]: ['v=DMARC1; p=reject'], '_dmarc.com': 'silent' }],
    ['ok', { [ABOVE]: ['v=DMARC1; p=none; sp=reject'] }],
    ['ok', { [ABOVE]: ['v=DMARC1; p=reject; np=none'] }],
    [
      'warning',
      { [ABOVE]: ['v=DMARC1; p=reject; sp=none; rua=mailto:r@example.com'] },
      'v=DMARC1; p=quarantine; rua=mailto:r@example.com',
    ],
    [
      'warning',
      { [OWN]: ['v=DMARC1; p=none; sp=reject; pct=5; rf=afrf'] },
      'v=DMARC1; p=quarantine; sp=reject',
    ],
    ['warning', { [OWN]: ['v=DMARC1; p=reject; t=y; aspf=s'] }, 'v=DMARC1; p=reject; aspf=s'],
    [
      'warning',
      { [OWN]: ['v=DMARC1; rua=mailto:r@example.com'] },
      'v=DMARC1; p=quarantine; rua=mailto:r@example.com',
    ],
    ['warning', { [OWN]: ['v=DMARC1; p=none'], [ABOVE]: ['v=DMARC1; p=reject'] }, 'v=DMARC1; p=quarantine'],
    ['broken', { [OWN]: ['v=DMARC1; p=rejct'] }, 'v=DMARC1; p=none'],
    ['broken', { [OWN]: ['v=DMARC1; p=reject; sp=some'] }, 'v=DMARC1; p=none'],
    ['broken', { [OWN]: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] }, 'v=DMARC1; p=none'],
    ['broken', { [OWN]: ['v=dmarc1; p=reject', 'p=reject; v=DMARC1'] }, 'v=DMARC1; p=none'],
    ['ok', { '_dmarc.com': ['v=DMARC1; p=reject; psd=y'] }],
    ['ok', { '_dmarc.com': ['v=DMARC1; p=none; psd=y'], [ABOVE]: ['v=DMARC1; p=reject'] }],
    ['unknown', { [OWN]: 'silent', [ABOVE]: ['v=DMARC1; p=reject'] }],
    ['unknown', { [ABOVE]: 'silent' }],
  ])('is %s with %j', async (state, zone, value) => {
    const finding = await found('dmarc', zone);
    expect([finding.state, finding.record?.value]).toEqual([state, value]);
    if (value) expect(finding.record).toMatchObject({ type: 'TXT', name: OWN });
  });

  it('walks up at most eight names of a long domain', async () => {
    const asked: string[] = [];
    const domain = 'a.b.c.d.e.f.g.h.i.j.mail.example.com';
    await findingsOf(dnsOf({}, asked), { ...subject, domain, signatures: [] });
    expect(asked.filter(name => name.startsWith('_dmarc.'))).toEqual(
      [
        domain,
        'g.h.i.j.mail.example.com',
        'h.i.j.mail.example.com',
        'i.j.mail.example.com',
        'j.mail.example.com',
        'mail.example.com',
        'example.com',
        'com',
      ].map(name => `_dmarc.${name}`),
    );
  });
});

it.each([
  ['ok', ['a.mx.example.com']],
  ['broken', ['']],
  ['warning', []],
  ['unknown', 'silent'],
] as const)('replies are %s with the mail servers %j', async (state, hosts) => {
  const zone = { 'MX example.com': hosts === 'silent' ? hosts : [...hosts] };
  expect((await found('mx', zone)).state).toBe(state);
});

it('one click takes an https address', async () => {
  expect(await found('one_click', {})).toMatchObject({ state: 'ok' });
  const local = await found('one_click', {}, { publicUrl: 'http://127.0.0.1:3000' });
  expect([local.state, local.message]).toEqual(['warning', expect.stringContaining('no https address')]);
});

it('a DNS that gives no answer in time leaves everything unknown', async () => {
  const never = () => new Promise<undefined>(() => {});
  const findings = await findingsOf({ txt: never, cname: never, mx: never }, subject, 5);
  expect(findings.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'ok']);
});

it('texts of others are shortened, without control characters, and in no record to copy if they are long', async () => {
  const text = `v=spf1 ${'\u001b[31m<script>é'.repeat(100)}`;
  const { found: shown, record } = await found('spf', { 'news.example.com': [text] });
  expect(shown?.length).toBeLessThan(310);
  expect(shown).toMatch(/^[\x20-\x7e]*…$/);
  expect(record).toBeNull();
});
