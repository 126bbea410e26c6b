import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { avif, bmp, dataUrl, ico } from '../support/images.ts';
import { items } from '../support/items.ts';
import { newMember } from '../support/member.ts';
import { waitForPurges } from '../support/purge.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { call } = stack;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const png = dataUrl(PNG);

let token: string;
let organization: number;

beforeEach(async () => {
  ({ token } = await newMember(stack));
  organization = (await call('POST /api/organizations', { token, body: { name: 'Studio' } })).body.id;
});

const params = () => ({ organization: String(organization) });
const setLogo = (logo: unknown) =>
  call('PUT /api/organizations/{organization}/logo', { token, params: params(), body: { logo } });
const get = (path: string) => fetch(new URL(path, stack.url()));

/** The files of this organization in a bucket. */
const files = () =>
  readdirSync(join(stack.dataDir(), 'objects'), { recursive: true })
    .map(String)
    .filter(name => decodeURIComponent(name).includes(`files/${organization}/`));

/** All items that name this organization, in a key or elsewhere. */
const ofOrganization = async () =>
  (await items(stack)).filter(
    ({ PK, SK, organization_id }) =>
      `${PK}#`.startsWith(`ORG#${organization}#`) ||
      SK === `ORG#${organization}` ||
      organization_id === organization,
  );

describe('The logo of an organization', () => {
  it('is served unchanged, to anyone who has its URL', async () => {
    const { status, body } = await setLogo(png);
    expect([status, body]).toMatchObject([200, { id: organization, name: 'Studio' }]);
    expect(body.logo).toMatch(new RegExp(`^/files/${organization}/[0-9a-f]{32}\\.png$`));

    const image = await get(body.logo);
    expect(image.status).toBe(200);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect((await call('GET /api/organizations', { token })).body).toContainEqual(body);
  });

  it('is replaced by another one, under another URL', async () => {
    const first = (await setLogo(png)).body.logo;
    const second = (await setLogo(dataUrl(GIF, 'image/gif'))).body.logo;
    expect(second).toMatch(/\.gif$/);
    const image = await get(second);
    expect([image.headers.get('content-type'), Buffer.from(await image.arrayBuffer())]).toEqual([
      'image/gif',
      GIF,
    ]);
    expect((await get(first)).status).toBe(403);
    expect(files()).toHaveLength(1);
  });

  it.each([
    ['image/avif', 'avif', avif(8, 8)],
    ['image/bmp', 'bmp', bmp(8, 8)],
    ['image/x-icon', 'ico', ico(8, 8)],
  ])('is served with the type of its bytes: %s', async (type, extension, bytes) => {
    const { body } = await setLogo(dataUrl(bytes, type));
    expect(body.logo).toMatch(new RegExp(`\\.${extension}$`));
    const image = await get(body.logo);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, type]);
  });

  it('is removed', async () => {
    const { logo } = (await setLogo(png)).body;
    expect(await setLogo(null)).toMatchObject({ status: 200, body: { logo: null } });
    expect((await get(logo)).status).toBe(403);
    expect(files()).toEqual([]);
    expect(await setLogo(null)).toMatchObject({ status: 200, body: { logo: null } });
  });

  it.each([
    ['an SVG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['a text that calls itself an image', dataUrl(Buffer.from('Just a text'))],
    ['HTML', dataUrl(PNG, 'text/html')],
    ['a link', 'https://example.com/logo.png'],
    ['nothing', ''],
    ['a number', 7],
    ['another image than it says', dataUrl(GIF)],
    ['an image of 4,097 pixels a side', dataUrl(avif(4097, 8), 'image/avif')],
    ['500 KB', dataUrl(Buffer.concat([PNG, Buffer.alloc(500 * 1024 - PNG.length)]))],
  ])('cannot be %s: nothing is stored, and the one before stays', async (_, wrong) => {
    const { logo } = (await setLogo(png)).body;
    expect(await setLogo(wrong)).toMatchObject({
      status: 422,
      body: { message: expect.any(String), errors: { logo: [expect.any(String)] } },
    });
    expect(files()).toHaveLength(1);
    expect((await get(logo)).status).toBe(200);
    expect((await call('GET /api/organizations', { token })).body).toContainEqual(
      expect.objectContaining({ id: organization, logo }),
    );
  });

  it('may be a byte smaller than 500 KB', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(500 * 1024 - 1 - PNG.length, 1)]);
    const { logo } = (await setLogo(dataUrl(large))).body;
    expect(Buffer.from(await (await get(logo)).arrayBuffer())).toEqual(large);
  });
});

describe('A deleted organization', () => {
  it('leaves neither its logo nor any item behind', async () => {
    const { logo } = (await setLogo(png)).body;
    const invitation = { email: `guest${organization}@example.com`, role: 'USER' };
    await call('POST /api/organizations/{organization}/members', {
      token,
      params: params(),
      body: invitation,
    });
    // META, both items of the membership, and those of the invitation.
    expect((await ofOrganization()).length).toBeGreaterThanOrEqual(6);
    expect(files()).toHaveLength(1);

    expect((await call('DELETE /api/organizations/{organization}', { token, params: params() })).status).toBe(
      204,
    );
    await waitForPurges(stack);
    expect((await get(logo)).status).toBe(403);
    expect(files()).toEqual([]);
    expect(await ofOrganization()).toEqual([]);
  });

  it('leaves other organizations unchanged', async () => {
    const kept = organization;
    const { logo } = (await setLogo(png)).body;
    organization = (await call('POST /api/organizations', { token, body: { name: 'Annex' } })).body.id;
    await setLogo(png);
    await call('DELETE /api/organizations/{organization}', { token, params: params() });
    await waitForPurges(stack);
    expect(await ofOrganization()).toEqual([]);
    organization = kept;
    expect((await get(logo)).status).toBe(200);
    expect(await ofOrganization()).not.toEqual([]);
  });
});
