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

const segment = (marker: number, content: string | Buffer) => {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker]), be16(bytes.length + 2), bytes]);
};
/** EXIF with an orientation, and after it whatever else a camera writes. */
const exif = (orientation: number, rest: string) =>
  Buffer.concat([
    hex('4d4d002a0000000800010112000300000001'),
    be16(orientation),
    be16(0),
    be32(0),
    latin(rest),
  ]);

const SCAN = Buffer.concat([segment(0xda, '\x01\x01\0\0\x3f\0'), hex('12ff0034ffd056')]);
/** A whole photo of 40 × 20 pixels, in which `secret` stands wherever a photo may say something about itself. */
export const photo = (secret: string, orientation = 1) =>
  Buffer.concat([
    hex('ffd8'),
    segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    segment(0xe1, Buffer.concat([latin('Exif\0\0'), exif(orientation, secret)])),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
    segment(0xe2, 'ICC_PROFILE\0\x01\x01colors'),
    segment(0xe2, `MPF\0${secret}`),
    segment(0xed, `Photoshop 3.0\0${secret}`),
    segment(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
    segment(0xfe, secret),
    segment(0xc0, Buffer.concat([hex('08'), be16(20), be16(40), hex('01011100')])),
    SCAN,
    segment(0xc4, '\0'),
    SCAN,
    hex('ffd9'),
    latin(secret),
  ]);

const chunk = (name: string, content: string | Buffer) => {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([be32(bytes.length), latin(name), bytes, be32(0)]);
};
/** The same as a PNG, without valid checksums. */
export const drawing = (secret: string) =>
  Buffer.concat([
    hex('89504e470d0a1a0a'),
    chunk('IHDR', Buffer.concat([be32(40), be32(20), hex('0806000000')])),
    chunk('iCCP', 'colors'),
    ...['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'prIv'].map(name => chunk(name, secret)),
    chunk('IDAT', 'pixels'),
    chunk('IEND', ''),
    latin(secret),
  ]);

const le32 = (value: number) => be32(value).reverse();
const riffChunk = (name: string, content: string | Buffer) => {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([latin(name), le32(bytes.length), bytes, Buffer.alloc(bytes.length % 2)]);
};
/** The same as a WebP, whose header says that it has EXIF, XMP, a color profile and transparency. */
export const sticker = (secret: string, flags = 0x3c) => {
  const chunks = Buffer.concat([
    riffChunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), hex('270000'), hex('130000')])),
    riffChunk('ICCP', 'colors'),
    riffChunk('VP8L', 'pixel'),
    ...(secret ? ['EXIF', 'XMP ', 'priv'].map(name => riffChunk(name, secret)) : []),
  ]);
  return Buffer.concat([latin('RIFF'), le32(chunks.length + 4), latin('WEBP'), chunks, latin(secret)]);
};
