import { vi } from 'vitest';

/** The browser's globals that web/src/lib uses. */
export function browserGlobals(stored: Record<string, string> = {}, pathname = '/profile') {
  const storage = new Map(Object.entries(stored));
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  // Object.keys of a Storage answers the stored keys.
  const keyed = new Proxy(localStorage, {
    ownKeys: () => [...storage.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  vi.stubGlobal('sessionStorage', { clear: () => undefined });
  const visited: string[] = [];
  vi.stubGlobal('localStorage', keyed);
  vi.stubGlobal('location', {
    pathname,
    search: '',
    hash: '',
    replace: (path: string) => void visited.push(path),
  });
  return { storage, visited };
}
