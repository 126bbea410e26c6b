import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { PRODUCT } from '../shared/brand.ts';
import { COMPILED } from './compiled.ts';
import { DEMO_ADDRESS } from './demo.ts';
import { describe, Mistake, messageOf } from './mistake.ts';
import type { RunningStack } from './stack.ts';

enableCompileCache(COMPILED);
const { startStack } = await import('./stack.ts');

const { values } = parseArgs({
  // The directory of a CDK app that is synthesized already.
  options: { assembly: { type: 'string' }, dev: { type: 'boolean' } },
});
const dataDir = process.env.DATA_DIR || '.local';
const demo = process.env.DEMO !== '0';
const say = (line: string) => console.log(line);

let starting: Promise<RunningStack> | undefined;
const interrupted = new AbortController();
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  interrupted.abort();
  const stack = await starting?.catch(() => undefined);
  await stack?.close();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  starting = startStack({
    port: portOf(process.env.PORT),
    dataDir,
    demo,
    webhookLoopback: process.env.WEBHOOK_LOOPBACK === '1',
    assembly: values.assembly,
    dev: values.dev,
    log: say,
    signal: interrupted.signal,
    lost(message) {
      console.error(message);
      void end(1);
    },
  });
  await introduce(await starting);
} catch (error) {
  if (!ending) console.error(describe(error));
  await end(1);
}

async function introduce({ url, filled }: RunningStack): Promise<void> {
  say(`${PRODUCT} is at ${url}`);
  say(`Sign in as ${demo ? DEMO_ADDRESS : 'any address'}: the code arrives at ${url}/_local/inbox`);
  await filled.catch(error => console.error(`${messageOf(error)}\nThe next start tries again.`));
}

function portOf(given: string | undefined): number {
  const port = Number(given || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Mistake(`PORT must be a number up to 65535, not ${given}.`);
}
