import { createHash } from 'node:crypto';
import { invalid } from '#core/refusal.ts';
import { type Image, type ImageRules, readImage } from '#core/storage/image.ts';
import { filesOf, type Objects } from '#core/storage/logo.ts';
import type { StoredImage } from '#shared/image.ts';
import {
  EMAIL_IMAGE_LIMIT,
  EMAIL_IMAGE_TOO_LARGE,
  EMAIL_IMAGE_TYPES,
  NOT_AN_EMAIL_IMAGE,
} from '#shared/image-limits.ts';

const RULES: ImageRules = {
  field: 'image',
  types: EMAIL_IMAGE_TYPES,
  wrongType: NOT_AN_EMAIL_IMAGE,
  mostBytes: EMAIL_IMAGE_LIMIT,
  tooLarge: EMAIL_IMAGE_TOO_LARGE,
};

const INCOMPLETE = 'This image is damaged or incomplete. Save it again, and upload that.';

/** The name follows from the bytes: the same image twice is one file, and a repeated upload changes nothing. */
export async function upload(
  { objects }: { objects: Pick<Objects, 'put'> },
  organization: number,
  dataUrl: string,
): Promise<StoredImage> {
  const image = readImage(dataUrl, RULES);
  const bytes = withoutMetadata(image);
  if (!bytes) throw invalid(RULES.field, INCOMPLETE);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const name = `${filesOf(organization)}${hash}.${image.extension}`;
  await objects.put(name, bytes, image.type);
  // From 5 on, it is shown lying on its side.
  const isOnItsSide = (image.orientation ?? 1) >= 5;
  const [width, height] = isOnItsSide ? [image.height, image.width] : [image.width, image.height];
  return { url: `/${name}`, width, height, bytes: bytes.length };
}

/**
 * The image without what its pixels do not need: EXIF, XMP, IPTC and comments, which may say where a photo was taken, its preview,
 * and whatever follows its end. Only how it is turned is kept, of a JPEG. Undefined if the image is not whole.
 */
export function withoutMetadata({ type, bytes, orientation }: Image): Buffer | undefined {
  switch (type) {
    case 'image/jpeg':
      return jpegWithout(bytes, orientation);
    case 'image/png':
      return pngWithout(bytes);
    case 'image/webp':
      return webpWithout(bytes);
    default:
      // A GIF has no place for EXIF.
      return bytes;
  }
}

const [SOI, EOI, SOS, COMMENT, APP0, APP1, APP2, APP14, APP15] = [
  0xd8, 0xd9, 0xda, 0xfe, 0xe0, 0xe1, 0xe2, 0xee, 0xef,
];

/** Whether colors depend on it: the header of JFIF, a color profile, the color transform of Adobe. */
function isOfPixels(marker: number, content: Buffer): boolean {
  const begins = (text: string) => content.subarray(0, text.length).toString('latin1') === text;
  if (marker === APP0) return begins('JFIF\0');
  if (marker === APP2) return begins('ICC_PROFILE\0');
  if (marker === APP14) return begins('Adobe');
  return marker !== COMMENT && (marker < APP0 || marker > APP15);
}

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1: segments, each with its marker, and coded data after those of scans. */
function jpegWithout(bytes: Buffer, orientation: number | undefined): Buffer | undefined {
  const kept = [Buffer.from([0xff, SOI]), ...(orientation ? [turned(orientation)] : [])];
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === EOI; ) {
    const marker = bytes[at + 1] ?? 0;
    // Before a marker there may be any number of 0xff, and in the files of some cameras other bytes.
    if (bytes[at] !== 0xff || marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) return Buffer.concat([...kept, Buffer.from([0xff, EOI])]);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    const next = marker === SOS ? endOfScan(bytes, end) : end;
    if (isOfPixels(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, next));
    at = next;
  }
  return undefined;
}

/** In coded data, a marker follows 0xff unless it is zero, or restarts the decoder. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** EXIF with one entry: the orientation. */
function turned(orientation: number): Buffer {
  const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  exif.writeUInt16BE(orientation, 24);
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([head, exif]);
}

/** Of the pixels, their colors, and the frames of an image that moves. */
const PNG_CHUNKS =
  /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|iCCP|sBIT|bKGD|pHYs|cICP|mDCV|cLLI|acTL|fcTL|fdAT)$/;
const SIGNATURE = 8;

/** https://www.w3.org/TR/png-3/#5Chunk-layout: length, name, content, checksum. */
function pngWithout(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, SIGNATURE)];
  for (let at = SIGNATURE; at + 12 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (PNG_CHUNKS.test(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

const WEBP_CHUNKS = /^(?:VP8 |VP8L|VP8X|ANIM|ANMF|ALPH|ICCP)$/;
const RIFF_HEADER = 12;
/** The flags of a header that says that there are EXIF and XMP. */
const WITH_METADATA = 0x0c;

/** https://developers.google.com/speed/webp/docs/riff_container: name, length, content, filled up to an even length. */
function webpWithout(bytes: Buffer): Buffer | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  for (let at = RIFF_HEADER; at + 8 <= end; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (next > end) return undefined;
    const chunk = Buffer.from(bytes.subarray(at, next));
    if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~WITH_METADATA;
    if (WEBP_CHUNKS.test(name)) kept.push(chunk);
    at = next;
  }
  const content = Buffer.concat(kept);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
}
