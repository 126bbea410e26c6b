import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RunningStack, startStack } from '../../local/stack.ts';
import { clientOf } from './client.ts';
import { exposed } from './exposed.ts';
import { ASSEMBLY } from './setup.ts';

export type Hosted = {
  running: RunningStack;
  dataDir: string;
  /** Codes and tokens that tests have seen: no log may hold one, nor any address. */
  secrets: Set<string>;
  /** The last line of the log that was looked at. */
  checked?: string | undefined;
};

export type Stack = ReturnType<typeof clientOf>;

const start = (dataDir: string) =>
  startStack({ port: 0, dataDir, webhookLoopback: true, assembly: ASSEMBLY });

async function host(): Promise<Hosted> {
  const dataDir = mkdtempSync(join(resolve('.tmp'), 'stack-'));
  return { running: await start(dataDir), dataDir, secrets: new Set() };
}

let shared: Promise<Hosted> | undefined;

/**
 * The whole product on the real local engines, one for all test files of a worker: each test makes people of its own,
 * and finds the clock wherever another test has moved it. It ends with the worker.
 */
export function sharedStack(): Stack {
  return used(() => {
    shared ??= host();
    return shared;
  });
}

/** The same for this test file alone, which may restart it: what is stored is kept, everything else begins anew. */
export function freshStack(): Stack & { restart: () => Promise<void> } {
  let own: Hosted | undefined;
  // Of the hooks after a file the first one registered runs last.
  afterAll(() => own?.running.close());
  const stack = used(async () => {
    own = await host();
    return own;
  });
  return {
    ...stack,
    async restart() {
      if (!own) throw new Error('The stack has not started');
      await checkLog(own);
      await own.running.close();
      own.running = await start(own.dataDir);
      own.checked = undefined;
    },
  };
}

function used(find: () => Promise<Hosted>): Stack {
  let hosted: Hosted;
  let known: number;
  beforeAll(async () => {
    hosted = await find();
    known = hosted.secrets.size;
  });
  afterAll(async () => {
    const written = await checkLog(hosted);
    // Where a secret was seen there must be a request in the log, or there would be nothing to look through.
    if (hosted.secrets.size > known) expect(written).toContain('"request"');
    // Each look at the inbox reads all of it.
    await hosted.running.inbox.clear();
  });
  return clientOf(() => hosted);
}

/** Looks through what functions have written since the last check. */
async function checkLog(hosted: Hosted): Promise<string> {
  await hosted.running.drain();
  const lines = hosted.running.logs();
  // The log forgets its oldest lines: where the last one that was checked is gone, all others are new.
  const fresh = hosted.checked === undefined ? lines : lines.slice(lines.lastIndexOf(hosted.checked) + 1);
  hosted.checked = lines.at(-1);
  const written = fresh.join('\n');
  expect(exposed(written, hosted.secrets)).toEqual([]);
  return written;
}
