import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Domains } from '#core/provider.ts';
import { dns } from '#functions/platform/dns.ts';
import { IN_MEMORY, openDatabase } from '#local/database.ts';
import { startDns } from '#local/dns/dns.ts';
import { createZone } from '#local/dns/zone.ts';
import { createIdentities } from '#local/ses/identities.ts';
import { answering } from '#local/ses/operations.ts';

const database = openDatabase(IN_MEMORY);
const zone = createZone(database);
const identities = createIdentities(database, zone);
const answer = answering(identities.operations);
const CONFIGURATION_SET = 'letterflow-local';
const closers: (() => unknown)[] = [];
let domains: Domains;
let address: string;
/** As with rights that end at a tag: what is not there is not allowed. */
let isStrict = false;
/** A call that names this has no right to it. */
let denied: string | undefined;

beforeAll(async () => {
  const server = await startDns(zone);
  address = server.address;
  closers.push(server.close);
  const http = createServer(async (incoming, response) => {
    const { method = '', url: path = '' } = incoming;
    const body = await buffer(incoming);
    const answered =
      denied && body.includes(denied) ? undefined : await answer({ method, path, body }, 'test');
    const isDenied = !answered || (isStrict && answered.status === 404);
    const headers = isDenied ? { 'x-amzn-errortype': 'AccessDeniedException' } : answered.headers;
    response.writeHead(isDenied ? 403 : answered.status, headers).end(answered?.body);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => http.close());
  for (const [name, value] of Object.entries({
    DNS_SERVERS: address,
    AWS_ENDPOINT_URL_SESV2: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    SES_ARN: 'arn:aws:ses:eu-central-1:000000000000',
    SES_STAGE: 'local',
    SES_TENANTS: 'letterflow-local',
    SES_CONFIGURATION_SET: CONFIGURATION_SET,
  }))
    vi.stubEnv(name, value);
  ({ domains } = await import('#functions/providers/ses/account.ts'));
});
afterAll(async () => {
  for (const close of closers) await close();
});

it('names have the records that were set, also long ones and those behind a CNAME; others have none', async () => {
  const long = `letterflow=${'x'.repeat(600)}`;
  zone.set('_letterflow.Example.com', 'TXT', ['v=other', long]);
  zone.set('www.example.com', 'CNAME', ['Shop.Example.org.']);
  zone.set('link.example.com', 'CNAME', ['_letterflow.example.com']);
  zone.set('example.com', 'MX', ['20 b.example.com', '10 A.example.com']);
  expect(await dns.txt('_letterflow.example.com')).toEqual(['v=other', long]);
  expect(await dns.txt('link.example.com')).toEqual(['v=other', long]);
  expect(await dns.cname('www.example.com')).toEqual(['shop.example.org']);
  expect(await dns.mx('example.com')).toEqual(['a.example.com', 'b.example.com']);
  for (const name of ['example.com', 'nobody.example.com', `${'x'.repeat(64)}.example.com`]) {
    expect(await dns.txt(name)).toEqual([]);
  }
  zone.set('www.example.com', 'CNAME', []);
  expect(await dns.cname('www.example.com')).toEqual([]);
});

it('too many records, and huge ones, are no answer', async () => {
  zone.set('many.example.com', 'TXT', Array(80).fill('x'));
  expect(await dns.txt('many.example.com')).toHaveLength(80);
  zone.set('many.example.com', 'TXT', Array(81).fill('x'));
  expect(await dns.txt('many.example.com')).toBeUndefined();
  zone.set('huge.example.com', 'TXT', ['x'.repeat(1_001)]);
  expect(await dns.txt('huge.example.com')).toBeUndefined();
});

it('names that point to each other are no answer, or have no records', async () => {
  zone.set('a.example.com', 'CNAME', ['b.example.com']);
  zone.set('b.example.com', 'CNAME', ['a.example.com']);
  expect((await dns.txt('a.example.com')) ?? []).toEqual([]);
});

it('a verified domain has keys where its records point, and the company of the demo has its own', async () => {
  expect(await dns.mx('quillstone.example.com')).toEqual(['mail.quillstone.example.com']);
  await domains.ensure('keys.example.com');
  const known = await domains.ensure('keys.example.com');
  const [record] = typeof known === 'object' ? known.records : [];
  zone.set(record?.name ?? '', 'CNAME', [record?.value ?? '']);
  expect(await dns.txt(record?.name ?? '')).toEqual([expect.stringMatching(/^v=DKIM1; k=rsa; p=A{392}$/)]);
});

it('a server that is silent, or answers nonsense, is no answer', async () => {
  const socket = createSocket('udp4');
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  let asked = 0;
  socket.on('message', (packet, { port }) => {
    if (++asked > 1) socket.send(packet.fill(0xff, 2), port, '127.0.0.1');
  });
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${socket.address().port}`);
  expect(await dns.txt('example.com')).toBeUndefined();
  vi.stubEnv('DNS_SERVERS', address);
  socket.close();
});

it.each([
  ['letters.example.com', false],
  ['strict.example.com', true],
])(
  'an identity, %s, is verified as long as its records stand, and a tenant sends from what it is associated with',
  async (domain, strict) => {
    isStrict = strict;
    const maySend = (tenant: string) => identities.maySend(domain, tenant, CONFIGURATION_SET);
    const created = await domains.ensure(domain);
    if (typeof created === 'string') throw new Error(created);
    expect(created).toMatchObject({ isVerified: false, hasFailed: false });
    expect(created.records).toHaveLength(3);
    // All calls may be repeated.
    expect(await domains.ensure(domain)).toEqual(created);
    for (const { name, value } of created.records) zone.set(name, 'CNAME', [value.toUpperCase()]);
    expect(await domains.ensure(domain)).toMatchObject({ isVerified: true });
    expect(maySend('letterflow-local-7')).toBe(false);
    for (const organization of [7, 8, 7]) await domains.admit(organization, domain);
    expect([7, 8, 9].map(id => maySend(`letterflow-local-${id}`))).toEqual([true, true, false]);
    for (const _ of [1, 2]) await domains.dismiss(8, domain);
    for (const _ of [1, 2]) await domains.removeOrganization(7);
    expect([7, 8].map(id => maySend(`letterflow-local-${id}`))).toEqual([false, false]);
    for (const { name } of created.records.slice(1)) zone.set(name, 'CNAME', []);
    expect(await domains.ensure(domain)).toMatchObject({ isVerified: false });
    for (const _ of [1, 2]) await domains.remove(domain);
    const again = await domains.ensure(domain);
    expect(again).not.toEqual(created);
  },
);

it.each(['identity', 'configuration-set'])(
  'an organization is not admitted where its tenant cannot be associated with the %s',
  async resource => {
    const domain = 'denied.example.com';
    await domains.ensure(domain);
    denied = `:${resource}/`;
    const outcome = await domains.admit(7, domain).catch(({ name }) => name);
    denied = undefined;
    expect(outcome).toBe('AccessDeniedException');
  },
);

it('an identity without the tag of the stage is foreign: it is not used, and stays', async () => {
  const domain = 'company.example.com';
  const create = answer(
    {
      method: 'POST',
      path: '/v2/email/identities',
      body: Buffer.from(
        JSON.stringify({ EmailIdentity: domain, Tags: [{ Key: 'letterflow:stage', Value: 'prod' }] }),
      ),
    },
    'test',
  );
  expect((await create)?.status).toBe(200);
  expect(await domains.ensure(domain)).toBe('foreign');
  await domains.remove(domain);
  expect(await domains.ensure(domain)).toBe('foreign');
  expect(await domains.ensure(`${'x'.repeat(64)}.example.com`)).toBe('refused');
});
