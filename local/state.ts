import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a file of the data directory holds; one that is missing, or was cut short, counts as never written. */
export function readState<T>(file: string, otherwise: T): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return otherwise;
  }
}

/** All of it or nothing, whenever the process dies: the new file takes the place of the old one at once. */
export function writeState(file: string, state: unknown, mode = 0o644): void {
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode });
  renameSync(`${file}.new`, file);
}
