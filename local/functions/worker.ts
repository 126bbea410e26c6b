import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILED } from '../compiled.ts';
import { PRELOAD } from '../engines/start.ts';
import type { Fault, Invocation, Reply } from './runtime.ts';

export type Outcome = { result: string | undefined } | { failure: Failure };
/** Why an invocation has no result: the error it threw, or how its process ended. */
export type Failure = { kind: 'threw' | 'crashed' | 'broken' | 'timeout'; sentence: string; stack?: string };

export type Launch = {
  file: string;
  exported: string;
  name: string;
  arn: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  /** Multiplies all time limits: on a busy machine, a process may need longer than on Lambda. */
  patience: number;
  log: (line: string) => void;
};

export type Worker = ReturnType<typeof startWorker>;

// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html: the init phase ends after 10 s.
const START_SECONDS = 10;

/**
 * The limit of Lambda for the size of an event and of a result, which its errors call 6 MB:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MOST_PAYLOAD_BYTES = 6_291_556;

export function startWorker(launch: Launch) {
  const { file, exported, name, arn, environment, timeoutSeconds, patience, log } = launch;
  const child = fork(join(import.meta.dirname, 'runtime.ts'), [file, exported, name, arn], {
    execArgv: [...PRELOAD, '--disable-warning=ExperimentalWarning'],
    env: { ...environment, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', log);
  }
  let alive = true;
  let fault: Fault | undefined;
  let waiting: ((outcome: Outcome) => void) | undefined;
  /** Only the first outcome counts: a crash may directly follow a response. */
  function settle(outcome: Outcome): void {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(outcome);
  }
  let report: ((failure: Failure | undefined) => void) | undefined;
  const started = new Promise<Failure | undefined>(done => {
    report = done;
  });
  const startTimer = setTimeout(
    () => {
      report?.(failure('timeout', `did not start within ${START_SECONDS} s`));
      child.kill('SIGKILL');
    },
    START_SECONDS * patience * 1000,
  );

  child.on('message', (reply: Reply) => {
    if ('ready' in reply) report?.(undefined);
    else if ('broken' in reply) report?.(failure('broken', 'does not load', reply.broken));
    else if ('crashed' in reply) {
      fault = reply.crashed;
      alive = false;
      // No invocation is in progress that could fail.
      if (!waiting) log(`crashed after it had answered: ${fault.stack}`);
    } else if ('fault' in reply) settle({ failure: failure('threw', 'threw', reply.fault) });
    else settle(outcomeOf(reply.result));
  });
  child.on('error', error => report?.(failure('broken', `does not start (${error.message})`)));
  child.on('exit', (code, signal) => {
    alive = false;
    clearTimeout(startTimer);
    const how = fault ? 'crashed' : `ended its process (${signal ?? `exit code ${code}`}) before it answered`;
    report?.(failure('crashed', how, fault));
    settle({ failure: failure('crashed', how, fault) });
  });
  started.then(() => clearTimeout(startTimer));

  return {
    pid: child.pid,
    alive: () => alive,
    end: () => endProcess(child),
    async run(invocation: Omit<Invocation, 'deadline'>): Promise<Outcome> {
      const broken = await started;
      if (broken) return { failure: broken };
      const answered = new Promise<Outcome>(done => {
        waiting = done;
      });
      const milliseconds = timeoutSeconds * patience * 1000;
      const deadline = performance.timeOrigin + performance.now() + milliseconds;
      const timer = setTimeout(() => {
        settle({ failure: failure('timeout', `did not answer within its ${timeoutSeconds} s`) });
        alive = false;
        child.kill('SIGKILL');
      }, milliseconds);
      if (alive) child.send({ ...invocation, deadline } satisfies Invocation);
      else settle({ failure: failure('crashed', 'ended its process before it was called', fault) });
      const outcome = await answered;
      clearTimeout(timer);
      return outcome;
    },
  };
}

function outcomeOf(result: string | undefined): Outcome {
  const bytes = Buffer.byteLength(result ?? '');
  if (bytes <= MOST_PAYLOAD_BYTES) return { result };
  const most = MOST_PAYLOAD_BYTES.toLocaleString('en-US');
  return {
    failure: failure('threw', `answered ${bytes.toLocaleString('en-US')} bytes; Lambda takes ${most}`),
  };
}

const failure = (kind: Failure['kind'], how: string, fault?: Fault): Failure => ({
  kind,
  sentence: fault ? `${how}: ${fault.name}: ${fault.message}` : how,
  ...(fault && { stack: fault.stack }),
});

function endProcess(child: ChildProcess): void {
  // SIGTERM does not end a busy loop.
  if (child.exitCode === null) child.kill('SIGKILL');
}
