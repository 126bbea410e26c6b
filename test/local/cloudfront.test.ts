import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createCloudFront } from '#local/cloudfront.ts';
import { IN_MEMORY, openDatabase } from '#local/database.ts';
import { createZone } from '#local/dns/zone.ts';
import { viewerFunction } from '#local/edge/viewer-function.ts';

const TARGET = 'links.letters.example';
const zone = createZone(openDatabase(IN_MEMORY));
const cloudFront = createCloudFront(zone, () => TARGET);
let count = 0;
let domain = '';
/** The exception that answers calls of a method and a path, as rights and limits of an account do. */
let refusal: { of: RegExp; code: string; status: number } | undefined;
let calls: string[] = [];
let close = () => {};
let tracking: typeof import('#functions/platform/tracking-domains.ts')['trackingDomains'];

beforeAll(async () => {
  const http = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const [, resource = ''] = /^\/2020-05-31\/([\w-]+)/.exec(path) ?? [];
    calls.push(`${method} ${resource}`);
    const body = await buffer(incoming);
    if (refusal?.of.test(`${method} ${resource}`)) {
      const error = `<ErrorResponse><Error><Code>${refusal.code}</Code></Error></ErrorResponse>`;
      return void response.writeHead(refusal.status, { 'content-type': 'text/xml' }).end(error);
    }
    const answered = await cloudFront.answer({ method, path, headers, body });
    response.writeHead(answered.status, answered.headers).end(answered.body);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  close = () => void http.close();
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_CLOUDFRONT: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    STAGE_NAME: 'local',
    TRACKING_DISTRIBUTION: 'distribution',
    TRACKING_GROUP: 'group',
  }))
    vi.stubEnv(name, value);
  ({ trackingDomains: tracking } = await import('#functions/platform/tracking-domains.ts'));
});
afterAll(() => close());
beforeEach(() => {
  domain = `link${++count}.example.com`;
  refusal = undefined;
  calls = [];
});

const ensure = (mayAskAgain = true) => tracking.ensure(domain, async () => mayAskAgain);
const point = (to: string) => zone.set(domain, 'CNAME', [to]);
async function activated() {
  point(`abc.${TARGET}.`);
  await ensure();
  await ensure();
}

it('a domain is served when its certificate is issued and attached, as long as its record stands', async () => {
  expect(await ensure()).toBe('pending');
  point(`abc.${TARGET}.`);
  expect(await ensure()).toBe('issuing');
  expect(cloudFront.serves(domain)).toBe(false);
  expect(await ensure()).toBe('issuing');
  calls = [];
  expect(await ensure()).toBe('active');
  expect(calls).toEqual(['GET distribution-tenant']);
  expect([domain.toUpperCase(), `${domain}.`].map(cloudFront.serves)).toEqual([true, true]);
  point('elsewhere.example.org');
  expect([await ensure(), cloudFront.serves(domain)]).toEqual(['issuing', false]);
});

it('two calls at once, and one after an answer that was lost, have one tenant', async () => {
  point(`abc.${TARGET}`);
  expect(await Promise.all([ensure(), ensure()])).toEqual(['issuing', 'issuing']);
  await ensure();
  expect(await ensure()).toBe('active');
});

it('a domain is removed after it is disabled, and its removal may be repeated', async () => {
  await activated();
  refusal = { of: /^DELETE/, code: 'ResourceNotDisabled', status: 409 };
  await expect(tracking.remove(domain)).rejects.toMatchObject({ name: 'ResourceNotDisabled' });
  expect(cloudFront.serves(domain)).toBe(false);
  refusal = undefined;
  calls = [];
  await tracking.remove(domain);
  expect(calls).toEqual(['GET distribution-tenant', 'DELETE distribution-tenant']);
  await tracking.remove(domain);
  expect(await ensure()).toBe('issuing');
});

it.each([
  ['served for somebody else', 'CNAMEAlreadyExists', 409, 'taken'],
  ['not seen there yet', 'InvalidArgument', 400, 'pending'],
  ['created by another call', 'EntityAlreadyExists', 409, 'issuing'],
])('a domain that is %s says so', async (_, code, status, expected) => {
  point(`abc.${TARGET}`);
  refusal = { of: /^POST/, code, status };
  expect(await ensure()).toBe(expected);
});

it('a tenant with the tag of another stage is none, and a limit of the account is no state of a domain', async () => {
  await activated();
  refusal = { of: /^GET/, code: 'AccessDenied', status: 403 };
  await tracking.remove(domain);
  expect(cloudFront.serves(domain)).toBe(true);
  refusal = { of: /^POST/, code: 'EntityLimitExceeded', status: 400 };
  domain = `other.${domain}`;
  point(`abc.${TARGET}`);
  await expect(ensure()).rejects.toMatchObject({ name: 'EntityLimitExceeded' });
});

it.each(['failed', 'validation-timed-out', 'expired'])(
  'a certificate that is %s is asked for again, where that is allowed',
  async status => {
    point(`abc.${TARGET}`);
    await ensure();
    vi.spyOn(cloudFront, 'answer').mockImplementation(async ({ method, path, body }) => {
      calls.push(body.toString());
      const details = path.includes('managed-certificate')
        ? `<ManagedCertificateDetails><CertificateStatus>${status}</CertificateStatus></ManagedCertificateDetails>`
        : `<DistributionTenant><Id>dt_1</Id><Domains><member><Domain>${domain}</Domain></member></Domains></DistributionTenant>`;
      return { status: 200, headers: { etag: method }, body: Buffer.from(details) };
    });
    expect(await ensure(false)).toBe('failed');
    expect(calls.join('')).not.toContain('PrimaryDomainName');
    expect(await ensure()).toBe('failed');
    vi.restoreAllMocks();
    expect(calls.at(-1)).toContain(`<PrimaryDomainName>${domain}</PrimaryDomainName>`);
  },
);

it('at CloudFront, a tracking domain passes on links of emails with its own name, and answers nothing else', () => {
  const onRequest = viewerFunction('TrackingLinks', readFileSync('lib/edge/tracking.js', 'utf8'));
  const ask = (path: string, headers = {}) =>
    onRequest({
      method: 'GET',
      path,
      query: '',
      ip: '198.51.100.7',
      body: Buffer.alloc(0),
      headers: { host: 'Link.example.com', ...headers },
    });
  for (const purpose of ['o', 'c', 'u']) {
    expect(ask(`/t/${purpose}/abc_-1`, { 'x-tracking-domain': 'other.example.com' })).toMatchObject({
      path: `/t/${purpose}/abc_-1`,
      headers: { host: 'Link.example.com', 'x-tracking-domain': 'Link.example.com' },
    });
  }
  const nothing = ['/', '/login', '/api/organizations', '/files/1/a.png', '/t/e/1/list', '/t/c/', '/t/c/a/b'];
  const tricks = [
    '/t/c/../../api/login',
    '/t/c/%2e%2e',
    '//t/c/abc',
    '/t/c/abc\n',
    '/T/C/abc',
    '/t/c/abc.html',
  ];
  for (const path of [...nothing, ...tricks]) expect(ask(path), path).toMatchObject({ status: 404 });
  const event = {
    request: { uri: '/t/c/abc', headers: { host: { value: 'x' } }, cookies: { a: { value: 'b' } } },
  };
  const code = `${readFileSync('lib/edge/tracking.js', 'utf8')}; handler(${JSON.stringify(event)})`;
  expect(runInNewContext(code)).toMatchObject({ cookies: {} });
  expect(ask('/.well-known/pki-validation/fileauth.txt')).toMatchObject({
    path: '/.well-known/pki-validation/fileauth.txt',
  });
});
