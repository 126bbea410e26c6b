import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { EMAIL_IMAGE_LIMIT } from '#shared/image-limits.ts';
import { template } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import * as images from '../support/images.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;
const { dataUrl } = images;

let owner: Person;
beforeAll(async () => {
  owner = await newMember(stack);
});

const upload = (image: unknown, { token } = owner, organization = owner.home.id) =>
  call('POST /api/images', { token, organization, body: { image } });
const files = () => stack.files().filter(name => name.includes(`files/${owner.home.id}/`));

it('an image is stored once under its hash, and served to anyone', async () => {
  const first = await upload(dataUrl(images.PNG));
  const hash = createHash('sha256').update(images.PNG).digest('hex');
  const url = `/files/${owner.home.id}/${hash}.png`;
  expect(first).toMatchObject({ status: 201, body: { url, width: 1, height: 1, bytes: images.PNG.length } });
  expect((await upload(dataUrl(images.PNG))).body).toEqual(first.body);
  expect(files()).toHaveLength(1);
  const image = await stack.get(url);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await image.arrayBuffer())).toEqual(images.PNG);
});

it('where a photo was taken is not stored, how it is turned is', async () => {
  const { body } = await upload(dataUrl(images.photo('N 48.8584', 6), 'image/jpeg'));
  expect(body).toMatchObject({ width: 20, height: 40 });
  const stored = Buffer.from(await (await stack.get(body.url)).arrayBuffer());
  expect(stored.length).toBe(body.bytes);
  expect(stored.toString('latin1')).not.toContain('N 48.8584');
  expect((await upload(dataUrl(images.photo('S 33.8568', 6), 'image/jpeg'))).body.url).toBe(body.url);
});

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
const padded = (length: number) => Buffer.concat([images.PNG, Buffer.alloc(length - images.PNG.length)]);

it.each([
  ['text', 'logo', 'Choose a JPEG, PNG, GIF or WebP image'],
  ['nothing', undefined, 'Choose a JPEG, PNG, GIF or WebP image'],
  ['an SVG', dataUrl(SVG, 'image/svg+xml'), 'Choose a JPEG, PNG, GIF or WebP image'],
  ['an SVG that says it is a PNG', dataUrl(SVG), 'Choose a JPEG, PNG, GIF or WebP image'],
  [
    'an image that mail programs do not show',
    dataUrl(images.avif(8, 8), 'image/avif'),
    'Mail programs show no',
  ],
  ['a PNG that says it is a JPEG', dataUrl(images.PNG, 'image/jpeg'), 'does not match its type'],
  ['2 MB and one byte', dataUrl(padded(EMAIL_IMAGE_LIMIT + 1)), 'more than 2 MB'],
  ['20,000 pixels wide', dataUrl(images.png(20_000, 1)), 'at most 4,096 pixels'],
  ['the beginning of a PNG', dataUrl(images.png(1, 1)), 'damaged or incomplete'],
])('%s is refused at the field, and nothing is stored', async (_, image, message) => {
  const before = files();
  const { status, body } = await upload(image);
  expect([status, body.errors.image]).toEqual([422, [expect.stringContaining(message)]]);
  expect(files()).toEqual(before);
});

it('2 MB are taken, of which only the image is stored', async () => {
  expect((await upload(dataUrl(padded(EMAIL_IMAGE_LIMIT)))).body).toMatchObject({ bytes: images.PNG.length });
});

it('a user of another organization and a viewer upload nothing to it', async () => {
  const [stranger, viewer] = [await newMember(stack), await newMember(stack)];
  await join(stack, owner, owner.home.id, viewer, 'VIEWER');
  const before = files();
  for (const user of [stranger, viewer])
    expect((await upload(dataUrl(images.gif(1, 1), 'image/gif'), user)).status).toBe(403);
  expect(files()).toEqual(before);
});

it('an organization uploads sixty images an hour at most', async () => {
  const other = await newMember(stack);
  const statuses: number[] = [];
  for (let count = 0; count < 61; count++) {
    statuses.push((await upload(dataUrl(images.PNG), other, other.home.id)).status);
  }
  expect([new Set(statuses.slice(0, 60)), statuses.at(-1)]).toEqual([new Set([201]), 429]);
});

it('content shows the images of its own organization alone, and is told what it cannot show', async () => {
  const { body: image } = await upload(dataUrl(images.PNG));
  const create = (pre_cta_content: string, { token, home } = owner) =>
    call('POST /api/email-templates', {
      token,
      organization: home.id,
      body: template({ name: pre_cta_content.slice(0, 90), pre_cta_content }),
    });
  expect((await create(`![A pot](${image.url} "300")`)).status).toBe(201);
  const stranger = await newMember(stack);
  for (const [text, user, message] of [
    [`![A pot](${image.url})`, stranger, 'is not one of this organization'],
    ['![A pot](/files/x)', owner, 'is not one of this organization'],
    ['![A pot](http://example.com/pot.png)', owner, 'write an address that begins with https://'],
    ['| Tea | 7 |', owner, 'is not a table'],
  ] as const) {
    const { status, body } = await create(text, user);
    expect([status, body.errors.pre_cta_content]).toEqual([422, [expect.stringContaining(message)]]);
  }
});
