/// <reference path="./probe-image-size.d.ts" />
import { randomBytes } from 'node:crypto';
import probe from 'probe-image-size/sync.js';
import { invalid } from '#core/refusal.ts';
import {
  LOGO_LIMIT,
  LOGO_NOT_SMALLER,
  LOGO_TOO_MANY_PIXELS,
  type LOGO_TYPES,
  MOST_LOGO_PIXELS,
} from '#shared/limits.ts';
import { fromItem, get, type Key, type Table } from './table.store.ts';
import { unchanged, updateItem } from './write.store.ts';

export type Objects = {
  put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  deletePage: (below: string) => Promise<boolean>;
};

/**
 * The fields of an item that has a logo. `logo_change` is the id of the request that last changed or removed it, `logo_sent` the
 * last logo that emails show: its file stays.
 */
export type Logo = {
  logo?: string | undefined;
  logo_change?: string | undefined;
  logo_sent?: string | undefined;
};

type Type = (typeof LOGO_TYPES)[number];
export type Image = { type: Type; extension: string; bytes: Buffer };
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

/** Type and size in pixels are read from the header of the image, whatever the data URL declares. */
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

type Change = { organization: number; key: Key; before: Logo; image: Image | undefined };

/** File, then item, then the file before: a process that dies leaves a file that the organization's purge deletes. */
export async function changeLogo(
  { table, objects }: { table: Table; objects: Objects },
  { organization, key, before: read, image }: Change,
): Promise<Logo | undefined> {
  const deleteFile = async ({ logo }: Logo, ...kept: (string | undefined)[]) =>
    logo && !kept.includes(logo) && objects.remove(logo.slice(1));
  for (let before: Logo | undefined = read; before; ) {
    const after = newLogo(organization, image);
    if (image && after.logo) await objects.put(after.logo.slice(1), image.bytes, image.type);
    const current = await replace(table, key, before, after);
    // This request or another one has replaced it, unless it was only sent meanwhile.
    await deleteFile(before, before.logo_sent, current?.logo_sent, current?.logo);
    if (current?.logo_change === after.logo_change) return after;
    // Another request may have replaced this logo and deleted its file, so the next try uses a new name.
    await deleteFile(after);
    before = current;
  }
  return undefined;
}

/** A logo with a new file name, which cannot be guessed and is never used again, so the file may be cached for good. */
function newLogo(organization: number, image: Image | undefined): Logo {
  const logo_change = randomBytes(16).toString('hex');
  return { logo: image && `/${filesOf(organization)}${logo_change}.${image.extension}`, logo_change };
}

/** Returns what the item has then. No change id is used twice, so a late retry by the SDK changes nothing. */
async function replace(table: Table, key: Key, before: Logo, after: Logo): Promise<Logo | undefined> {
  const { logo, logo_change } = after;
  const { condition, ...attributes } = unchanged(before, ['logo_change', 'logo_sent']);
  const written = await updateItem(
    table,
    key,
    { set: { logo_change, logo }, drop: logo ? [] : ['logo'] },
    { condition: `${condition} AND attribute_not_exists(deleted_at)`, ...attributes },
  );
  if (written) return after;
  const item = await get(table, key);
  return item?.deleted_at ? undefined : item && fromItem(item);
}
