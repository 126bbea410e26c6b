/**
 * The runtime of a function's process. Like Lambda, it loads the handler once, then handles one invocation at a time. Every
 * failure is sent to the parent before the process ends.
 */
import { spawnSync } from 'node:child_process';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inSources } from '#functions/platform/log.ts';

export type Fault = { name: string; message: string; stack: string };
export type Invocation = { id: string; event: unknown; deadline: number; offset: number };
export type Reply =
  | { ready: true }
  | { broken: Fault }
  | { id: string; result: string | undefined }
  | { id: string; fault: Fault }
  | { crashed: Fault };

type Handler = (event: unknown, context: object) => unknown;

const [file = '', exported = '', functionName = '', functionArn = ''] = process.argv.slice(2);
const setClock = (globalThis as unknown as Record<symbol, (offset: number) => void>)[
  Symbol.for('letterflow.clock')
];

// Ctrl-C reaches all processes of the terminal, but the stack ends its functions itself.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, error => sendAndExit({ crashed: faultOf(error) }));
}

const handler = await load();
if (handler) {
  process.on('message', (invocation: Invocation) => void answer(handler, invocation));
  process.send?.({ ready: true } satisfies Reply);
  // Flushed now, as the process is usually killed and cannot do it at its end.
  flushCompileCache();
}

async function load(): Promise<Handler | undefined> {
  try {
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    const found = module[exported];
    if (typeof found === 'function') return found as Handler;
    throw new TypeError(`It exports no function named ${exported}`);
  } catch (error) {
    sendAndExit({ broken: withPlace(faultOf(error)) });
  }
}

async function answer(handle: Handler, { id, event, deadline, offset }: Invocation): Promise<void> {
  setClock?.(offset);
  const context = {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: id,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - performance.timeOrigin - performance.now(),
  };
  try {
    const result = JSON.stringify(await handle(event, context));
    process.send?.({ id, result } satisfies Reply);
  } catch (error) {
    process.send?.({ id, fault: faultOf(error) } satisfies Reply);
  }
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: String(error) };
  return { name: error.name, message: error.message, stack: inSources(error.stack ?? error.message) };
}

/** Adds the position of a syntax error, which its error object lacks. `node --check` prints it. */
function withPlace(fault: Fault): Fault {
  if (fault.name !== 'SyntaxError') return fault;
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', env: {} });
  return stderr ? { ...fault, stack: stderr } : fault;
}

function sendAndExit(reply: Reply): void {
  process.send?.(reply, () => process.exit(1));
}
