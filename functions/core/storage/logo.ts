import { randomBytes } from 'node:crypto';
import type { Image } from './image.ts';
import { get, type Key, storedOf, type Table } from './table.store.ts';
import { unchanged, updateWith, type Write } from './write.store.ts';

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

/** The prefix of an organization's files, which is also their path on the product's domain. */
export const filesOf = (organization: number) => `files/${organization}/`;

type Change = { organization: number; key: Key; before: Logo; image: Image | undefined; others: Write[] };

/** File, then item, then the file before: a process that dies leaves a file that the organization's purge deletes. */
export async function changeLogo(
  { table, objects }: { table: Table; objects: Objects },
  { organization, key, before: read, image, others }: Change,
): Promise<Logo | undefined> {
  const deleteFile = async ({ logo }: Logo, ...kept: (string | undefined)[]) =>
    logo && !kept.includes(logo) && objects.remove(logo.slice(1));
  for (let before: Logo | undefined = read; before; ) {
    const after = newLogo(organization, image);
    if (image && after.logo) await objects.put(after.logo.slice(1), image.bytes, image.type);
    const current = await replace(table, key, before, after, others);
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
async function replace(
  table: Table,
  key: Key,
  before: Logo,
  after: Logo,
  others: Write[],
): Promise<Logo | undefined> {
  const { logo, logo_change } = after;
  const { condition, ...attributes } = unchanged(before, ['logo_change', 'logo_sent']);
  const written = await updateWith(
    table,
    key,
    { set: { logo_change, logo }, drop: logo ? [] : ['logo'] },
    { condition: `${condition} AND attribute_not_exists(deleted_at)`, ...attributes },
    others,
  );
  if (written) return after;
  const item = await get(table, key);
  return item?.deleted_at ? undefined : storedOf(item);
}
