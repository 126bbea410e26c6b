import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { PRODUCT } from '#shared/brand.ts';
import { COMPILED } from './compiled.ts';
import { FULL, type Progress, type Size } from './demo/demo.ts';
import { DEMO_ADDRESS } from './demo/setup.ts';
import { describe, Mistake, messageOf } from './mistake.ts';
import type { RunningStack } from './stack.ts';

enableCompileCache(COMPILED);
const { startStack } = await import('./stack.ts');

const { values } = parseArgs({
  // `assembly` is the directory of a CDK app that is synthesized already.
  options: { assembly: { type: 'string' }, dev: { type: 'boolean' }, fresh: { type: 'boolean' } },
});
const dataDir = process.env.DATA_DIR || '.local';
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
  const demo = process.env.DEMO === '0' ? undefined : sizeOf(process.env.DEMO_DAYS);
  starting = startStack({
    port: portOf(process.env.PORT),
    dataDir,
    demo,
    fresh: values.fresh,
    reached: sayProgress,
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
  await introduce(await starting, demo !== undefined);
} catch (error) {
  if (!ending) console.error(describe(error));
  await end(1);
}

async function introduce({ url, filled }: RunningStack, demo: boolean): Promise<void> {
  say(`${PRODUCT} is at ${url}`);
  say(`Sign in as ${demo ? DEMO_ADDRESS : 'any address'}: the code arrives at ${url}/_local/inbox`);
  say('As the sending key of a list, enter any that begins with key-: no mail leaves this machine.');
  try {
    const played = await filled;
    if (played) say(`The demo data is complete: ${played.sent.toLocaleString('en')} emails were sent.`);
  } catch (error) {
    console.error(messageOf(error));
  }
}

/** Reports only some of the days. */
function sayProgress({ day, days }: Progress): void {
  if (day === 1) say(`Creating demo data, a history of ${days} days. You can sign in meanwhile.`);
  else if ((day - 1) % 10 === 0) say(`Demo data: ${day - 1} of ${days} days`);
}

/** A shorter history has fewer members. */
function sizeOf(days: string | undefined): Size {
  const given = Number(days || FULL.days);
  if (!Number.isInteger(given) || given < 1 || given > FULL.days)
    throw new Mistake(`DEMO_DAYS must be a number from 1 to ${FULL.days}, not ${days}.`);
  return { days: given, members: Math.ceil((FULL.members * given) / FULL.days) };
}

function portOf(given: string | undefined): number {
  const port = Number(given || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Mistake(`PORT must be a number up to 65535, not ${given}.`);
}
