import { mkdtempSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Table } from '#core/storage/table.store.ts';
import { type RunningStack, startStack } from '#local/stack.ts';
import { clientOf } from './client.ts';
import { exposed } from './exposed.ts';
import { ASSEMBLY } from './setup.ts';

export type Hosted = {
  running: RunningStack;
  /** Where it stores its data; commands find it by that. */
  dataDir?: string;
  /** The names of the files that it serves. */
  files?: () => string[];
  /** Codes and tokens that tests have seen. No log may contain one of them, or an address. */
  secrets: Set<string>;
  /** The last lines of the log that were checked, newest first. */
  checked?: string[] | undefined;
  /** Of handlers that are called without a stack (handlers.ts): what answers, and the table in memory. */
  answer?: (url: URL, init: RequestInit) => Promise<Response>;
  table?: Table;
};

export type Stack = ReturnType<typeof clientOf>;

// Each process that a function starts costs more than most tests.
let mostProcesses = 1;
const start = (dataDir: string) =>
  startStack({
    port: 0,
    dataDir,
    webhookLoopback: true,
    assembly: ASSEMBLY,
    mostProcesses: () => mostProcesses,
    patience: 20,
  });

/** Lets several processes of each function run at once in this file, whose tests have calls race. */
export function withRaces(): void {
  beforeAll(() => {
    mostProcesses = 4;
  });
  afterAll(() => {
    mostProcesses = 1;
  });
}

async function host(): Promise<Hosted> {
  const dataDir = mkdtempSync(join(resolve('.tmp'), 'stack-'));
  const files = () =>
    readdirSync(join(dataDir, 'objects'), { recursive: true }).map(name => decodeURIComponent(String(name)));
  return { running: await start(dataDir), dataDir, files, secrets: new Set() };
}

let shared: Promise<Hosted> | undefined;

/**
 * The whole product on the local engines, one stack for all test files of a worker. Each test creates its own people, and the
 * clock is wherever another test has moved it. The stack ends with the worker.
 */
export function sharedStack(): Stack {
  return stackOf(() => {
    shared ??= host();
    return shared;
  });
}

/** A stack for this test file alone, which may restart it: stored data is kept, everything else starts anew. */
export function freshStack(): Stack & { restart: () => Promise<void> } {
  let own: Hosted | undefined;
  // Of the hooks after a file, the first one that was registered runs last.
  afterAll(() => own?.running.close());
  const stack = stackOf(async () => {
    own = await host();
    return own;
  });
  return {
    ...stack,
    async restart() {
      if (!own) throw new Error('The stack has not started');
      await checkLog(own);
      await own.running.close();
      own.running = await start(own.dataDir ?? '');
      own.checked = undefined;
    },
  };
}

/** A stack that is found before the tests of a file, and whose log is checked after them. */
export function stackOf(find: () => Promise<Hosted>): Stack {
  let hosted: Hosted;
  let known: number;
  beforeAll(async () => {
    hosted = await find();
    known = hosted.secrets.size;
  });
  afterAll(async () => {
    const written = await checkLog(hosted);
    // If there was a secret, the log must have a request: otherwise this check would check nothing.
    if (hosted.secrets.size > known) expect(written).toContain('"request"');
    // Each read of the inbox reads all of it.
    await hosted.running.inbox.clear();
  });
  return clientOf(() => hosted);
}

const MOST_COMPARED = 20;

/** Checks the lines that functions have written since the last check. */
async function checkLog(hosted: Hosted): Promise<string> {
  await hosted.running.drain();
  const lines = hosted.running.logs();
  // The log drops its oldest lines. If the last checked ones are gone, all lines are new. One line may be there twice.
  const checked = hosted.checked ?? [];
  const end = lines.findIndex((_, at) => checked.every((line, back) => line === lines[at - back]));
  const fresh = checked.length === 0 ? lines : lines.slice(end + 1);
  hosted.checked = lines.slice(-MOST_COMPARED).toReversed();
  const written = fresh.join('\n');
  expect(exposed(written, hosted.secrets)).toEqual([]);
  return written;
}
