import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from './mistake.ts';

/** What stands in DATA_DIR/stack.json while a stack runs: how tools reach it. */
export type Running = { url: string; pid: number; env: Record<string, string> };

/** Takes a data directory for this process, unless another stack answers for it. */
export async function claimDataDir(
  dataDir: string,
  url: string,
): Promise<(env: Record<string, string>) => void> {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'stack.json');
  const owner = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Running) : undefined;
  if (owner && (await answers(owner))) {
    throw new Mistake(
      `${dataDir} is in use by the stack at ${owner.url}. End it, or set DATA_DIR to another directory.`,
    );
  }
  const publish = (env: Record<string, string>) =>
    writeFileSync(file, JSON.stringify({ url, pid: process.pid, env } satisfies Running, null, 2));
  publish({});
  return publish;
}

export const releaseDataDir = (dataDir: string) => rmSync(join(dataDir, 'stack.json'), { force: true });

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
