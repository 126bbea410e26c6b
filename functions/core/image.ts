import type { LOGO_TYPES } from '../../shared/organization.ts';
import { invalid } from './refusal.ts';

type Type = (typeof LOGO_TYPES)[number];
export type Image = { type: Type; extension: string; bytes: Buffer };
/** Which images are accepted as a logo, and the errors for the others. */
export type ImageRules = { types: readonly Type[]; mostBytes: number; wrongType: string; tooLarge: string };

const begins = (hex: string) => (bytes: Buffer) => bytes.subarray(0, hex.length / 2).toString('hex') === hex;
const matches = (pattern: RegExp) => (bytes: Buffer) => pattern.test(bytes.toString('latin1', 0, 64));

// By their first bytes, since a file can be called anything. There is no SVG here: it can contain scripts, which run
// when the file is opened by itself.
const KINDS: Record<Type, { extension: string; is: (bytes: Buffer) => boolean }> = {
  'image/png': { extension: 'png', is: begins('89504e470d0a1a0a') },
  'image/jpeg': { extension: 'jpg', is: begins('ffd8ff') },
  'image/gif': { extension: 'gif', is: matches(/^GIF8[79]a/) },
  'image/webp': { extension: 'webp', is: matches(/^RIFF.{4}WEBP/s) },
  // A box of four-letter brands, its length before it: AVIF names itself as one of them.
  'image/avif': { extension: 'avif', is: matches(/^.{4}ftyp(.{4})*?avi[fs]/s) },
  // Its fifth to eighth reserved bytes are zero: two letters alone would be any text that begins with them.
  'image/bmp': { extension: 'bmp', is: matches(/^BM.{4}\0{4}/s) },
  'image/x-icon': { extension: 'ico', is: begins('00000100') },
};

/** The logo in a data URL; refuses what is not an image of these types, or too large. */
export function readLogo(dataUrl: string, { types, mostBytes, wrongType, tooLarge }: ImageRules): Image {
  const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1];
  if (!encoded) throw invalid('logo', wrongType);
  const bytes = Buffer.from(encoded, 'base64');
  const type = types.find(one => KINDS[one].is(bytes));
  if (!type) throw invalid('logo', wrongType);
  if (bytes.length > mostBytes) throw invalid('logo', tooLarge);
  return { type, extension: KINDS[type].extension, bytes };
}

export const dataUrlOf = ({ type, bytes }: Image) => `data:${type};base64,${bytes.toString('base64')}`;

/** The prefix of an organization's files, which is also their path on the product's domain. */
export const filesOf = (organization: number) => `files/${organization}/`;
