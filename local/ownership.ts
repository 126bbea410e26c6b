import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from './mistake.ts';
import { readState, writeState } from './state.ts';

/** The content of DATA_DIR/stack.json while a stack runs: how tools reach it. */
export type Running = { url: string; pid: number; env: Record<string, string> };

const fileIn = (dataDir: string) => join(dataDir, 'stack.json');

/** Fails where another stack uses a data directory. Called before this one listens, or it might find itself. */
export async function requireFreeDataDir(dataDir: string): Promise<void> {
  const owner = readState<Running | undefined>(fileIn(dataDir), undefined);
  if (!owner || !(await answers(owner))) return;
  throw new Mistake(
    `${dataDir} is in use by the stack at ${owner.url}. End it, or set DATA_DIR to another directory.`,
  );
}

/** Claims a data directory for this process; returns a function that writes down how tools reach it. */
export function claimDataDir(dataDir: string, url: string): (env: Record<string, string>) => void {
  mkdirSync(dataDir, { recursive: true });
  const publish = (env: Record<string, string>) =>
    writeState(fileIn(dataDir), { url, pid: process.pid, env } satisfies Running);
  publish({});
  return publish;
}

export const releaseDataDir = (dataDir: string) => rmSync(fileIn(dataDir), { force: true });

/** Another process may have its number by now, so a stack must answer at its address too. */
async function answers({ pid, url }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const response = await fetch(`${url}/_local/health`, { signal: AbortSignal.timeout(2000) });
    return response.status === 200 || response.status === 503;
  } catch {
    return false;
  }
}
