/// <reference path="./probe-image-size.d.ts" />
import probe from 'probe-image-size/sync.js';
import { invalid } from '#core/refusal.ts';
import {
  LOGO_LIMIT,
  LOGO_NOT_SMALLER,
  LOGO_TOO_MANY_PIXELS,
  type LOGO_TYPES,
  MOST_LOGO_PIXELS,
} from '#shared/limits.ts';

type Type = (typeof LOGO_TYPES)[number];
export type Image = { type: Type; extension: string; bytes: Buffer };
/** Which types are accepted as a logo, and the error for the others. */
export type ImageRules = { types: readonly Type[]; wrongType: string };

const { png, jpeg, gif, webp, avif, ico } = probe.parsers;
// Also requires the reserved bytes to be zero: the two letters at the beginning of a BMP may begin any text.
const bmp: typeof png = bytes =>
  bytes.subarray(6, 10).join() === '0,0,0,0' ? probe.parsers.bmp(bytes) : undefined;

// SVG is not accepted: it can contain scripts, which run when the file is opened by itself.
const KINDS: Record<Type, { extension: string; aliases?: string[]; parse: typeof png }> = {
  'image/png': { extension: 'png', parse: png },
  'image/jpeg': { extension: 'jpg', aliases: ['image/jpg'], parse: jpeg },
  'image/gif': { extension: 'gif', parse: gif },
  'image/webp': { extension: 'webp', parse: webp },
  'image/avif': { extension: 'avif', parse: avif },
  'image/bmp': { extension: 'bmp', aliases: ['image/x-ms-bmp'], parse: bmp },
  'image/x-icon': { extension: 'ico', aliases: ['image/vnd.microsoft.icon'], parse: ico },
};

const OTHER_TYPE = 'The content of this file does not match its type. Please save the image again.';

/**
 * Decodes the logo in a data URL. Throws an error if it is not an image of these types, if its type differs from the
 * declared one, or if it is too large. Its type and its size in pixels are read from its header.
 */
export function readLogo(dataUrl: string, { types, wrongType }: ImageRules): Image {
  const [, declared = '', encoded] =
    /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/i.exec(dataUrl) ?? [];
  if (!encoded) throw invalid('logo', wrongType);
  const bytes = Buffer.from(encoded, 'base64');
  const found = types.flatMap(type => headerOf(type, bytes) ?? [])[0];
  if (!found) throw invalid('logo', wrongType);
  if (bytes.length >= LOGO_LIMIT) throw invalid('logo', LOGO_NOT_SMALLER);
  const { type, width, height } = found;
  const { extension, aliases = [] } = KINDS[type];
  if (![type, ...aliases].includes(declared.toLowerCase())) throw invalid('logo', OTHER_TYPE);
  if (Math.max(width, height) > MOST_LOGO_PIXELS) throw invalid('logo', LOGO_TOO_MANY_PIXELS);
  return { type, extension, bytes };
}

function headerOf(type: Type, bytes: Buffer) {
  const { mime, width, height } = KINDS[type].parse(bytes) ?? { mime: '', width: 0, height: 0 };
  return mime === type && width > 0 && height > 0 ? [{ type, width, height }] : undefined;
}

export const dataUrlOf = ({ type, bytes }: Image) => `data:${type};base64,${bytes.toString('base64')}`;

/** The prefix of an organization's files, which is also their path on the product's domain. */
export const filesOf = (organization: number) => `files/${organization}/`;
