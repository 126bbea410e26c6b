import { beforeEach, describe, expect, it } from 'vitest';
import { apiStack } from '../support/handlers.ts';
import { avif, dataUrl, PNG } from '../support/images.ts';
import { newMember } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

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
const { get } = stack;

const files = () => stack.files().filter(name => name.includes(`files/${organization}/`));

describe('The logo of an organization', () => {
  it('is served unchanged, to anyone who has its URL', async () => {
    const { status, body } = await setLogo(png);
    expect([status, body]).toMatchObject([200, { id: organization, name: 'Studio' }]);
    expect(body.logo).toMatch(new RegExp(`^/files/${organization}/[0-9a-f]{32}\\.png$`));

    const image = await get(body.logo);
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/png');
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

  it.each([['image/avif', 'avif', avif(8, 8)]])(
    'is served with the type of its bytes: %s',
    async (type, extension, bytes) => {
      const { body } = await setLogo(dataUrl(bytes, type));
      expect(body.logo).toMatch(new RegExp(`\\.${extension}$`));
      const image = await get(body.logo);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, type]);
    },
  );

  it.each([
    ['an SVG', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['a number', 7],
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
});
