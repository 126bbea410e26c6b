import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Empty files that mark a data directory: its data is not complete, it has the demo data, or every domain may register. */
export const MARKS = ['incomplete', 'demo-data', 'open-to-all'] as const;
type Mark = (typeof MARKS)[number];

export const has = (dataDir: string, mark: Mark) => existsSync(join(dataDir, mark));
export const mark = (dataDir: string, mark: Mark) => writeFileSync(join(dataDir, mark), '', { mode: 0o600 });
export const unmark = (dataDir: string, mark: Mark) => rmSync(join(dataDir, mark), { force: true });
