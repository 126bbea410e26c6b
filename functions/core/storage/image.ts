/// <reference path="./probe-image-size.d.ts" />
import probe from 'probe-image-size/sync.js';
import { invalid } from '#core/refusal.ts';
import {
  LOGO_LIMIT,
  LOGO_NOT_SMALLER,
  type LOGO_TYPES,
  MOST_IMAGE_PIXELS,
  TOO_MANY_PIXELS,
} from '#shared/limits.ts';

type Type = (typeof LOGO_TYPES)[number];
export type Image = {
  type: Type;
  extension: string;
  bytes: Buffer;
  width: number;
  height: number;
  /** How a JPEG is turned when it is shown, from 1 to 8 as in EXIF; undefined if it does not say. */
  orientation?: number | undefined;
};
export type ImageRules = {
  /** The field of the request that has the image. */
  field: string;
  types: readonly Type[];
  wrongType: string;
  mostBytes: number;
  tooLarge: string;
};

/** The rules that all logos have in common. */
export const LOGO_RULES = { field: 'logo', mostBytes: LOGO_LIMIT - 1, tooLarge: LOGO_NOT_SMALLER };

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

/** Type and size in pixels are read from the header of the image, whatever the data URL declares. */
export function readImage(dataUrl: string, rules: ImageRules): Image {
  const { field, types, wrongType, mostBytes, tooLarge } = rules;
  const [, declared = '', encoded] =
    /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/i.exec(dataUrl) ?? [];
  if (!encoded) throw invalid(field, wrongType);
  const bytes = Buffer.from(encoded, 'base64');
  const found = types.flatMap(type => headerOf(type, bytes) ?? [])[0];
  if (!found) throw invalid(field, wrongType);
  if (bytes.length > mostBytes) throw invalid(field, tooLarge);
  const { extension, aliases = [] } = KINDS[found.type];
  if (![found.type, ...aliases].includes(declared.toLowerCase())) throw invalid(field, OTHER_TYPE);
  if (Math.max(found.width, found.height) > MOST_IMAGE_PIXELS) throw invalid(field, TOO_MANY_PIXELS);
  return { ...found, extension, bytes };
}

function headerOf(type: Type, bytes: Buffer) {
  const header = KINDS[type].parse(bytes);
  if (header?.mime !== type || !(header.width > 0) || !(header.height > 0)) return undefined;
  const { width, height, orientation } = header;
  return [{ type, width, height, orientation }];
}

export const dataUrlOf = ({ type, bytes }: Pick<Image, 'type' | 'bytes'>) =>
  `data:${type};base64,${bytes.toString('base64')}`;
