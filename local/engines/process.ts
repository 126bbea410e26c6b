/**
 * The process of the engines: it runs the queues, and DynamoDB as a child process. It loads the clock preload, as visibility
 * timeouts and delays follow simulated time. It ends with its parent.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildApp } from 'fauxqs';
import { freePort } from '../server.ts';
import { indexStream } from './dynamodb.ts';
import { queueStores } from './messages.ts';

export type EnginesOptions = {
  dataDir: string;
  region: string;
  /** The bundled engine of DynamoDB, unless an external one is used. */
  dynamodb: { binary: string } | { endpoint: string };
};
export type EnginesReady = { dynamodb: string; queues: string; dynamodbPid: number | undefined };
export type EnginesMessage = { ready: EnginesReady } | { failed: string };

const options = JSON.parse(process.argv[2] ?? '') as EnginesOptions;
const setClock = (globalThis as unknown as Record<symbol, (offset: number) => void>)[
  Symbol.for('letterflow.clock')
];
// Attempts to find a free port for DynamoDB.
const MOST_ATTEMPTS = 3;
let table: ChildProcess | undefined;
let ending = false;
// Files of the engines are readable by their user only.
process.umask(0o077);

process.on('message', ({ offset }: { offset: number }) => {
  setClock?.(offset);
  process.send?.({ offset });
});
process.on('disconnect', end);
process.on('SIGINT', () => {});
process.on('SIGTERM', end);

try {
  const [dynamodb, queues] = await Promise.all([startTable(), startQueues()]);
  report({ ready: { dynamodb, queues, dynamodbPid: table?.pid } });
  // Flushed now, since the process may be killed.
  flushCompileCache();
} catch (error) {
  report({ failed: error instanceof Error ? error.message : String(error) });
  end();
}

function report(message: EnginesMessage): void {
  process.send?.(message);
}

async function startQueues(): Promise<string> {
  const stores = await queueStores(join(options.dataDir, 'queues.sqlite'));
  const app = buildApp({ logger: false, defaultRegion: options.region, stores });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function startTable(): Promise<string> {
  if ('endpoint' in options.dynamodb) return options.dynamodb.endpoint;
  const { binary } = options.dynamodb;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const file = join(options.dataDir, 'dynamodb.sqlite');
    const output = await serveTable(binary, port, file);
    if (output === undefined) {
      indexStream(file);
      return `http://127.0.0.1:${port}`;
    }
    // Another process may take the port before DynamoDB does.
    const retry = output.includes('already in use') && attempt < MOST_ATTEMPTS;
    if (!retry) throw new Error(`The DynamoDB engine does not start. ${output}`);
  }
}

/** Resolves when DynamoDB listens, or with its output if it does not start. */
async function serveTable(binary: string, port: number, file: string): Promise<string | undefined> {
  const child = spawn(
    binary,
    ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', file],
    // A process group of its own: Ctrl-C in the terminal must not end it before the processes that still write to it.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  table = child;
  if (child.pid) writeFileSync(pidFile(), String(child.pid));
  let output = '';
  const listening = await new Promise<boolean>((done, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk;
        if (output.includes('Dynoxide listening')) done(true);
      });
    }
    child.on('error', failed);
    child.on('close', () => done(false));
  });
  if (!listening) return output.trim();
  child.on('exit', code => {
    if (ending) return;
    report({ failed: `The DynamoDB engine ended (exit code ${code}). ${output.trim()}` });
    end();
  });
  return undefined;
}

function pidFile(): string {
  return join(options.dataDir, 'dynamodb.pid');
}

function end(): void {
  if (ending) return;
  ending = true;
  table?.kill('SIGTERM');
  rmSync(pidFile(), { force: true });
  process.exit();
}
