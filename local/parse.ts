export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const parseJson = (text: string): unknown => unlessThrown(() => JSON.parse(text));

/** A path, or a part of one, without its escapes. */
export const decoded = (path: string): string | undefined => unlessThrown(() => decodeURIComponent(path));

function unlessThrown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
