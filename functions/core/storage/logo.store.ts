import { fromItem, get, type Key, type Table } from './table.store.ts';
import { unchanged, updateItem } from './write.store.ts';

/** The fields of an item that has a logo. `logo_change` is the id of the request that last changed or removed it. */
export type Logo = {
  /** The path of the file of the logo. */
  logo?: string | undefined;
  logo_change?: string | undefined;
};

/**
 * Replaces the logo that was read before. Returns the current one: `after`, or what another request wrote first. Returns
 * undefined if the item is deleted. No change id is used twice, so a late retry by the SDK changes nothing.
 */
export async function replace(table: Table, key: Key, before: Logo, after: Logo): Promise<Logo | undefined> {
  const { logo, logo_change } = after;
  const { condition, ...attributes } = unchanged(before, ['logo_change']);
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
