/** Accessed lazily: if the browser blocks the storage, access throws. */
const STORAGES = { local: () => localStorage, session: () => sessionStorage };
type Where = keyof typeof STORAGES;

export function readStored(key: string, where: Where = 'local'): string | null {
  try {
    return STORAGES[where]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it. Returns false if the storage is full or blocked. */
export function writeStored(key: string, value: string | undefined, where: Where = 'local'): boolean {
  try {
    if (value === undefined) STORAGES[where]().removeItem(key);
    else STORAGES[where]().setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function clearStored(kept: readonly string[], where: Where = 'local') {
  try {
    for (const key of Object.keys(STORAGES[where]()))
      if (!kept.includes(key)) writeStored(key, undefined, where);
  } catch {
    // A blocked storage has no values.
  }
}
