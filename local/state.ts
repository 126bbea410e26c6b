import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The content of a JSON file in the data directory; `otherwise` if it is missing or not complete. */
export function readState<T>(file: string, otherwise: T): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return otherwise;
  }
}

/** The values of a file by their names. Missing ones are made, and are the same at every later start. */
export function keptValues(
  file: string,
  names: string[],
  make: (name: string) => string,
): Map<string, string> {
  const values = readState<Record<string, string>>(file, {});
  for (const name of names) values[name] ??= make(name);
  writeState(file, values);
  return new Map(Object.entries(values));
}

/** Replaces a file atomically: if the process is killed, the file has either the old content or the new. */
export function writeState(file: string, state: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
