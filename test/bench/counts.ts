import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Section } from './report.ts';

export type Counts = Record<string, Record<string, number>>;

const FILE = join(import.meta.dirname, 'counts.json');

/** What was counted and saved, by the titles of the benches: `npm run costs` reckons with it. */
export const savedCounts = (): Counts => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Keeps what a bench has counted, in the place of what it counted before. */
export function saveCounts({ title, lines }: Section): void {
  const counts = lines.flatMap(({ what, measured }) => (measured === undefined ? [] : [[what, measured]]));
  const saved = { ...savedCounts(), [title]: Object.fromEntries(counts) };
  writeFileSync(FILE, `${JSON.stringify(saved, undefined, 2)}\n`);
}
