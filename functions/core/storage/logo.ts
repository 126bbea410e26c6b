import { randomBytes } from 'node:crypto';
import { filesOf, type Image } from './image.ts';
import { type Logo, replace } from './logo.store.ts';
import type { Objects } from './objects.ts';
import type { Key, Table } from './table.store.ts';

type Change = {
  organization: number;
  /** The item that has the logo, and its logo as it was read. */
  key: Key;
  before: Logo;
  image: Image | undefined;
};

/**
 * Stores the image, then sets its path in the item, then deletes the file of the logo before. Returns undefined if the item
 * is deleted. A process that dies meanwhile leaves a file to which no item refers, and which the purge of the organization
 * deletes.
 */
export async function changeLogo(
  { table, objects }: { table: Table; objects: Objects },
  { organization, key, before: read, image }: Change,
): Promise<Logo | undefined> {
  const deleteFile = async ({ logo }: Logo) => logo && objects.remove(logo.slice(1));
  for (let before: Logo | undefined = read; before; ) {
    const after = newLogo(organization, image);
    if (image && after.logo) await objects.put(after.logo.slice(1), image.bytes, image.type);
    const current = await replace(table, key, before, after);
    // This request or another one has replaced it, so no item refers to its file any more.
    await deleteFile(before);
    if (current?.logo_change === after.logo_change) return after;
    // Another request was first. It may have replaced this request's logo and deleted the file, so the next try uses a new
    // name.
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
