import { beforeEach, describe, expect, it } from 'vitest';
import * as organization from '#core/organization/organization.ts';
import { NOT_AN_IMAGE } from '#shared/limits.ts';
import { freshTable } from '#test/support/engine.ts';
import * as images from '#test/support/images.ts';
import { newOwner } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const { dataUrl } = images;
const BYTES = images.png(1, 1);
const PNG = dataUrl(BYTES);

let files: Map<string, Uint8Array>;
const objects = {
  put: async (name: string, bytes: Uint8Array) => void files.set(name, bytes),
  remove: async (name: string) => void files.delete(name),
  deletePage: async () => false,
};

/** No more than the bytes by which a type is known. */
const BEGINNINGS = {
  'image/png': images.png(1, 1).subarray(0, 16),
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'image/gif': images.gif(1, 1).subarray(0, 6),
  'image/webp': images.webp(1, 1).subarray(0, 16),
  'image/avif': images.avif(1, 1).subarray(0, 24),
  'image/bmp': images.bmp(1, 1).subarray(0, 16),
  'image/x-icon': images.ico(1, 1).subarray(0, 8),
};

const repeated = (length: number, ...bytes: number[]) => Buffer.alloc(length, Buffer.from(bytes));
const many = 300 * 1024;
/** A parser that trusts the lengths in them begins again and again, or for ever. */
const ENDLESS = {
  'image/jpeg': Buffer.concat([Buffer.from('ffd8', 'hex'), repeated(many, 0xff, 0xe0, 0, 2)]),
  'image/avif': images.avifOf(
    'avif\0\0\0\0mif1miaf',
    repeated(many, 0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65),
    repeated(8, 0),
  ),
  'image/x-icon': Buffer.concat([Buffer.from('00000100ffff', 'hex'), repeated(many, 0)]),
  'image/png': Buffer.concat([images.png(1, 1).subarray(0, 8), repeated(many, 0)]),
  'image/webp': Buffer.concat([images.webp(1, 1).subarray(0, 12), repeated(many, 0)]),
};

describe('the image of an organization', () => {
  let change: (logo: string) => Promise<string | null>;

  beforeEach(async () => {
    files = new Map();
    const active = await newOwner(table, now);
    change = async logo => (await organization.changeLogo({ table, now, objects }, active, logo)).logo;
  });

  it('is kept as a file under a path that cannot be guessed', async () => {
    const logo = await change(PNG);
    expect(logo).toMatch(/^\/files\/\d+\/[0-9a-f]{32}\.png$/);
    expect(files.get(logo?.slice(1) ?? '')).toEqual(BYTES);
  });

  it.each([
    ['png', 'image/png', images.png(1, 1)],
    ['jpg', 'image/jpeg', images.jpeg(1, 1)],
    ['jpg', 'image/jpg', images.jpeg(1, 1)],
    ['gif', 'image/gif', images.gif(1, 1)],
    ['webp', 'image/webp', images.webp(1, 1)],
    ['avif', 'image/avif', images.avif(1, 1)],
    ['avif', 'image/avif', images.avifOf('mif1\0\0\0\0miafavif', images.extent(1, 1))],
    ['bmp', 'image/bmp', images.bmp(1, 1)],
    ['bmp', 'image/x-ms-bmp', images.bmp(1, 1)],
    ['ico', 'image/x-icon', images.ico(16, 16)],
    ['ico', 'image/vnd.microsoft.icon', images.ico(256, 256)],
  ])('is an image of any type that browsers show: %s, as %s', async (extension, type, bytes) => {
    const logo = await change(dataUrl(bytes, type));
    expect(logo).toMatch(new RegExp(`\\.${extension}$`));
    expect(files.get(logo?.slice(1) ?? '')).toEqual(bytes);
  });

  it.each([
    [
      'an SVG, which can contain scripts',
      dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'image/svg+xml'),
    ],
    [
      'an SVG with the type of another image',
      dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')),
    ],
    ['HTML with the type of an image', dataUrl(Buffer.from('<!doctype html><script></script>'))],
    ['text', dataUrl(BYTES, 'text/plain')],
    ['text that begins like an image', dataUrl(Buffer.from('BMX riders and their letters'), 'image/bmp')],
    ['a video', dataUrl(Buffer.from('\0\0\0\x1cftypisom\0\0\0\0isommp42'), 'image/avif')],
    [
      'a photo that browsers do not show',
      dataUrl(images.avifOf('heic\0\0\0\0mif1heic', images.extent(1, 1)), 'image/avif'),
    ],
    ['a link', 'https://example.com/logo.png'],
    ['nothing', 'data:image/png;base64,'],
    ['no data URL', 'logo'],
    ['an image without pixels', dataUrl(images.png(0, 1))],
    ...Object.entries(BEGINNINGS).map(([type, bytes]) => [
      `the first bytes of ${type}`,
      dataUrl(bytes, type),
    ]),
    ...Object.entries(ENDLESS).map(([type, bytes]) => [`endless, as ${type}`, dataUrl(bytes, type)]),
  ])('cannot be %s', async (_, logo = '') => {
    await expect(change(logo)).rejects.toThrow(NOT_AN_IMAGE);
    expect(files.size).toBe(0);
  });

  it.each([
    ['image/png', images.gif(1, 1)],
    ['image/gif', images.png(1, 1)],
    ['image/svg+xml', images.png(1, 1)],
    ['image/jpeg', images.webp(1, 1)],
  ])('cannot be another image than it says: %s', async (type, bytes) => {
    await expect(change(dataUrl(bytes, type))).rejects.toMatchObject({
      errors: { logo: ['The content of this file does not match its type. Please save the image again.'] },
    });
    expect(files.size).toBe(0);
  });

  it.each([
    ['image/png', images.png],
    ['image/jpeg', images.jpeg],
    ['image/gif', images.gif],
    ['image/webp', images.webp],
    ['image/avif', images.avif],
    ['image/bmp', images.bmp],
  ])('has at most 4,096 pixels a side: %s', async (type, imageOf) => {
    await expect(change(dataUrl(imageOf(4096, 4096), type))).resolves.toMatch(/^\/files/);
    for (const [width, height] of [
      [4097, 1],
      [1, 4097],
    ] as const) {
      await expect(change(dataUrl(imageOf(width, height), type))).rejects.toMatchObject({
        errors: { logo: ['The image must be at most 4,096 pixels wide and high.'] },
      });
    }
    expect(files.size).toBe(1);
  });

  it('has no picture of more pixels in it, nor beside others', async () => {
    const large = images.avifOf('avif\0\0\0\0mif1miaf', images.extent(1, 1), images.extent(60_000, 100));
    await expect(change(dataUrl(large, 'image/avif'))).rejects.toThrow('4,096 pixels');
  });

  it('is smaller than 500 KB', async () => {
    const image = (bytes: number) => dataUrl(Buffer.concat([BYTES, Buffer.alloc(bytes - BYTES.length)]));
    await expect(change(image(500 * 1024))).rejects.toThrow('500 KB');
    await expect(change(image(500 * 1024 - 1))).resolves.toMatch(/png$/);
  });
});
