/** Each is looked up where it is used: where the browser blocks it, that alone throws. */
const STORAGES = { local: () => localStorage, session: () => sessionStorage };
type Where = keyof typeof STORAGES;

/** A stored value; none where the browser blocks it. */
export function readStored(key: string, where: Where = 'local'): string | null {
  try {
    return STORAGES[where]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it; returns whether the browser did, as the storage may be full or blocked. */
export function writeStored(key: string, value: string | undefined, where: Where = 'local'): boolean {
  try {
    if (value === undefined) STORAGES[where]().removeItem(key);
    else STORAGES[where]().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Removes all values but these. */
export function clearStored(kept: readonly string[], where: Where = 'local') {
  try {
    for (const key of Object.keys(STORAGES[where]()))
      if (!kept.includes(key)) writeStored(key, undefined, where);
  } catch {
    // Where it is blocked, nothing was stored.
  }
}
