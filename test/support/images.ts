/** The beginnings of images of this size: enough to detect type and size. */

const le16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const be16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const be32 = (value: number) => Buffer.concat([be16(Math.floor(value / 65_536)), be16(value % 65_536)]);
const latin = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text, 'hex');

export const png = (width: number, height: number) =>
  Buffer.concat([
    hex('89504e470d0a1a0a0000000d'),
    latin('IHDR'),
    be32(width),
    be32(height),
    hex('0806000000'),
  ]);

export const jpeg = (width: number, height: number) =>
  Buffer.concat([
    hex('ffd8ffe000104a46494600010100000100010000ffc0001108'),
    be16(height),
    be16(width),
    hex('03012200021101031101'),
  ]);

export const gif = (width: number, height: number) =>
  Buffer.concat([latin('GIF89a'), le16(width), le16(height), hex('800000')]);

export const webp = (width: number, height: number) =>
  Buffer.concat([latin('RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0'), hex('3001009d012a'), le16(width), le16(height)]);

export const bmp = (width: number, height: number) =>
  Buffer.concat([
    latin('BM'),
    hex('3a000000000000003600000028000000'),
    le16(width),
    le16(0),
    le16(height),
    le16(0),
    hex('01001800'),
  ]);

/** A side has at most 256 pixels. */
export const ico = (width: number, height: number) =>
  Buffer.concat([
    hex('000001000100'),
    Buffer.from([width % 256, height % 256]),
    hex('0000010020000400000016000000'),
  ]);

export const box = (name: string, ...content: Buffer[]) => {
  const all = Buffer.concat(content);
  return Buffer.concat([be32(all.length + 8), latin(name), all]);
};
export const extent = (width: number, height: number) => box('ispe', be32(0), be32(width), be32(height));
export const avifOf = (brands: string, ...properties: Buffer[]) =>
  Buffer.concat([box('ftyp', latin(brands)), box('meta', be32(0), box('iprp', box('ipco', ...properties)))]);
export const avif = (width: number, height: number) => avifOf('avif\0\0\0\0mif1miaf', extent(width, height));

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const dataUrl = (bytes: Buffer, type = 'image/png') =>
  `data:${type};base64,${bytes.toString('base64')}`;
