import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a file without content says of a data directory: that what is stored is not complete, that the demo data is there, and
 * that every domain may register.
 */
export const MARKS = ['incomplete', 'demo-data', 'open-to-all'] as const;
type Mark = (typeof MARKS)[number];

export const has = (dataDir: string, mark: Mark) => existsSync(join(dataDir, mark));
export const mark = (dataDir: string, mark: Mark) => writeFileSync(join(dataDir, mark), '', { mode: 0o600 });
export const unmark = (dataDir: string, mark: Mark) => rmSync(join(dataDir, mark), { force: true });
