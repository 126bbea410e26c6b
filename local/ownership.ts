import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endStaleDynamodb } from './engines/dynamodb.ts';
import { has, MARKS, mark, unmark } from './marks.ts';
import { Mistake, messageOf } from './mistake.ts';
import { readState, writeState } from './state.ts';

/** The content of DATA_DIR/stack.json while a stack runs. It tells tools how to reach the stack. */
export type Running = { url: string; pid: number; env: Record<string, string> };

/** The version of the stored data: higher with each change after which older data cannot be read. */
const FORMAT = 2;

const OTHERS = 0o077;
/** The sticky bit, which /tmp has. */
const STICKY = 0o1000;

const fileIn = (dataDir: string) => join(dataDir, 'stack.json');

/** Fails if another stack uses a data directory. Must be called before this stack listens, or it could find itself. */
export async function requireFreeDataDir(dataDir: string): Promise<void> {
  const owner = readState<Running | undefined>(fileIn(dataDir), undefined);
  if (!owner || !(await answers(owner))) return;
  throw new Mistake(
    `${dataDir} is in use by the stack at ${owner.url}. End it, or set DATA_DIR to another directory.`,
  );
}

/**
 * Claims a data directory for this process; returns a function that stores how tools reach the stack. Deletes the data of an
 * earlier start if `fresh`, or if that start ended before its data was complete.
 */
export function claimDataDir(
  dataDir: string,
  url: string,
  fresh: boolean,
): (env: Record<string, string>) => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  keepPrivate(dataDir);
  endStaleDynamodb(dataDir);
  if (fresh || has(dataDir, 'incomplete')) deleteStored(dataDir);
  requireOwnFormat(dataDir);
  const publish = (env: Record<string, string>) =>
    writeState(fileIn(dataDir), { url, pid: process.pid, env } satisfies Running);
  publish({});
  return publish;
}

/** Makes stored files private to their user, also in a directory that others could read before. */
function keepPrivate(dataDir: string): void {
  try {
    if (statSync(dataDir).mode & STICKY) throw new Error('it is shared by design');
    restrictAll(dataDir, name => name === 'logs' || name === 'objects');
  } catch (error) {
    throw new Mistake(
      `${dataDir} cannot be made private: ${messageOf(error)}. Set DATA_DIR to a directory of your own.`,
    );
  }
}

/** Fails if the data has another version. There is no migration, as local data is only for trying things out. */
function requireOwnFormat(dataDir: string): void {
  const file = join(dataDir, 'format.json');
  const isOwn = readState<{ format?: number }>(file, {}).format === FORMAT;
  if (!isOwn && existsSync(join(dataDir, 'dynamodb.sqlite'))) {
    throw new Mistake(
      `${dataDir} holds data of an earlier version, which this one cannot read. Start with --fresh to delete it, or set DATA_DIR to another directory.`,
    );
  }
  if (!isOwn) writeState(file, { format: FORMAT });
}

const DATABASES = ['dynamodb.sqlite', 'queues.sqlite', 'stack.sqlite'];
const STORED = [
  ...DATABASES.flatMap(name => ['', '-wal', '-shm', '-journal'].map(suffix => name + suffix)),
  ...['clock.json', 'secrets.json', 'keys.json', 'format.json'].flatMap(name => [name, `${name}.new`]),
  'logs/functions.log',
  'objects',
  ...MARKS.filter(name => name !== 'incomplete'),
];

/** Deletes what a stack has stored in a directory, and nothing else. If that is interrupted, the next start completes it. */
function deleteStored(dataDir: string): void {
  mark(dataDir, 'incomplete');
  for (const name of STORED) rmSync(join(dataDir, name), { recursive: true, force: true });
  unmark(dataDir, 'incomplete');
}

/** Restricts a directory, its files, and those in subdirectories that belong to the stack. */
function restrictAll(directory: string, isOwn: (name: string) => boolean): void {
  restrict(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isFile()) restrict(path);
    else if (entry.isDirectory() && isOwn(entry.name)) restrictAll(path, () => true);
  }
}

function restrict(path: string): void {
  const { mode } = statSync(path);
  if (mode & OTHERS) chmodSync(path, mode & 0o700);
}

export const releaseDataDir = (dataDir: string) => rmSync(fileIn(dataDir), { force: true });

/** Another process may have got this id since, so the stack must also respond at its address. */
async function answers({ pid, url }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const response = await fetch(`${url}/_local/health`, { signal: AbortSignal.timeout(2000) });
    return response.status === 200 || response.status === 503;
  } catch {
    return false;
  }
}
