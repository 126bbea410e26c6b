import { fork } from 'node:child_process';
import { join } from 'node:path';
import { COMPILED } from '../compiled.ts';
import { Mistake, messageOf } from '../mistake.ts';
import type { EnginesMessage, EnginesOptions, EnginesReady } from './process.ts';

export type Engines = Awaited<ReturnType<typeof startEngines>>;

export const PRELOAD = ['--import', join(import.meta.dirname, '../clock-preload.ts')];

type Reported = EnginesMessage | { offset: number };

/** Starts the process of the engines. Calls `lost` if that process ends by itself. */
export async function startEngines(
  options: EnginesOptions,
  offset: number,
  lost: (message: string) => void,
  signal?: AbortSignal,
) {
  const child = fork(join(import.meta.dirname, 'process.ts'), [JSON.stringify(options)], {
    execArgv: [...PRELOAD, '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, LETTERFLOW_CLOCK_OFFSET: String(offset), NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    detached: true,
  });
  signal?.addEventListener('abort', () => child.connected && child.disconnect());
  let complaints = '';
  child.stderr?.on('data', chunk => (complaints += chunk));
  let closing = false;
  const gone = new Promise<void>(done => child.once('exit', () => done()));

  const ready = await new Promise<EnginesReady>((done, failed) => {
    child.once('exit', code =>
      failed(new Mistake(`The engines ended (exit code ${code}). ${complaints.trim()}`)),
    );
    child.on('message', (message: Reported) => {
      if ('ready' in message) done(message.ready);
      if ('failed' in message) failed(new Mistake(message.failed));
    });
  });
  child.on('exit', (code, signal) => {
    // DynamoDB is a child of the killed process, and does not end with it.
    if (ready.dynamodbPid && !closing) killIfAlive(ready.dynamodbPid);
    if (!closing) lost(`The engines ended (${signal ?? `exit code ${code}`}). ${complaints.trim()}`.trim());
  });

  const waiting: (() => void)[] = [];
  child.on('message', (message: Reported) => 'offset' in message && waiting.shift()?.());
  return {
    dynamodb: ready.dynamodb,
    queues: ready.queues,
    pids: [child.pid, ready.dynamodbPid].filter(pid => pid !== undefined),
    setOffset: (next: number) =>
      new Promise<void>((done, failed) => {
        waiting.push(done);
        child.send({ offset: next }, error => error && failed(new Error(messageOf(error))));
      }),
    async close() {
      closing = true;
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
