import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from './mistake.ts';
import { readState, writeState } from './state.ts';

/** What stands in DATA_DIR/stack.json while a stack runs: how tools reach it. */
export type Running = { url: string; pid: number; env: Record<string, string> };

const fileIn = (dataDir: string) => join(dataDir, 'stack.json');

/** Makes sure that no other stack answers for a data directory: asked before this one can be mistaken for it. */
export async function findDataDirFree(dataDir: string): Promise<void> {
  const owner = readState<Running | undefined>(fileIn(dataDir), undefined);
  if (!owner || !(await answers(owner))) return;
  throw new Mistake(
    `${dataDir} is in use by the stack at ${owner.url}. End it, or set DATA_DIR to another directory.`,
  );
}

/** Takes a data directory for this process; answers how to tell tools what they need to reach it. */
export function claimDataDir(dataDir: string, url: string): (env: Record<string, string>) => void {
  mkdirSync(dataDir, { recursive: true });
  const publish = (env: Record<string, string>) =>
    writeState(fileIn(dataDir), { url, pid: process.pid, env } satisfies Running);
  publish({});
  return publish;
}

export const releaseDataDir = (dataDir: string) => rmSync(fileIn(dataDir), { force: true });

/** A number alone may long be another process's: ask at its address as well. */
async function answers({ pid, url }: Running): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const response = await fetch(`${url}/_local/health`, { signal: AbortSignal.timeout(2000) });
    return response.status === 200 || response.status === 503;
  } catch {
    return false;
  }
}
