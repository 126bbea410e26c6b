import { randomUUID } from 'node:crypto';
import { messageOf } from '../mistake.ts';
import { type Launch, type Outcome, startWorker, type Worker } from './worker.ts';

export type Invoked = Outcome & { requestId: string };

export type Pool = ReturnType<typeof createPool>;

type PoolOptions = {
  /** The source file. Messages name the function by it. */
  entry: string;
  mostAtOnce: () => number;
  launch: Omit<Launch, 'log' | 'patience'>;
  /** Multiplies the time limits of its processes. */
  patience: number;
  offset: () => number;
  log: (line: string) => void;
  /** Called when an invocation begins; returns a function to call when it has ended. */
  invoked: () => () => void;
  /** Called with each failure and its stack trace, as callers pass on only the sentence. */
  failed: (sentence: string, stack: string | undefined) => void;
};

/** A process that has had nothing to do for so long ends: a stack at rest keeps few. */
const LONGEST_IDLE = 60_000;

let processes = 0;

const PROCESS = /~\d+$/;
/** The name of the function of a caller, if the caller is one of its processes. */
export const functionOf = (caller: string) => caller.replace(PROCESS, '');

/** Gives a process endpoints of its own, which tell the stack which process calls. */
const callingAs = (caller: string, { name, environment }: PoolOptions['launch']) =>
  Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, value.replaceAll(`/${name}/`, `/${caller}/`)]),
  );

/** The processes of one function. If all are busy, another one is started, up to the limit; further invocations wait. */
export function createPool(options: PoolOptions) {
  const { entry, mostAtOnce, launch, patience, offset, log, invoked, failed } = options;
  /** With the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Map<Worker, string>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;
  let retired = false;

  /** Invokes the function, at a time with this offset if one is given, else at the time of the stack. */
  async function invoke(event: unknown, at?: number): Promise<Invoked> {
    const end = invoked();
    if (running >= mostAtOnce()) await new Promise<void>(done => waiting.push(done));
    else running += 1;
    try {
      return await runOn(takeWorker(), event, at ?? offset());
    } finally {
      // The next invocation in the queue takes over the slot at once, so that a new one cannot take it first.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
      end();
    }
  }

  function takeWorker(): Worker {
    // The one that was used last.
    for (const [worker, timer] of [...idle].reverse()) {
      clearTimeout(timer);
      idle.delete(worker);
      if (worker.alive()) return worker;
      all.delete(worker);
    }
    const caller = `${launch.name}~${++processes}`;
    const worker = startWorker({ ...launch, environment: callingAs(caller, launch), patience, log });
    all.set(worker, caller);
    return worker;
  }

  function end(worker: Worker): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.end();
    all.delete(worker);
  }

  async function runOn(worker: Worker, event: unknown, at: number): Promise<Invoked> {
    const requestId = randomUUID();
    const outcome = await attempt(worker, { id: requestId, event, offset: at });
    const reusable =
      worker.alive() && !closed && !retired && !('failure' in outcome && outcome.failure.kind !== 'threw');
    if (reusable) idle.set(worker, setTimeout(end, LONGEST_IDLE, worker).unref());
    else end(worker);
    if ('failure' in outcome && !closed) {
      const { failure } = outcome;
      const sentence = `${entry} ${failure.sentence}`;
      failed(sentence, failure.stack);
      return { requestId, failure: { ...failure, sentence } };
    }
    return { requestId, ...outcome };
  }

  async function attempt(worker: Worker, invocation: Parameters<Worker['run']>[0]): Promise<Outcome> {
    try {
      return await worker.run(invocation);
    } catch (error) {
      return { failure: { kind: 'crashed', sentence: `cannot be called: ${messageOf(error)}` } };
    }
  }

  return {
    name: launch.name,
    arn: launch.arn,
    entry,
    mostAtOnce,
    invoke,
    pids: () => [...all.keys()].flatMap(({ pid }) => pid ?? []),
    runs: (caller: string) => [...all.values()].includes(caller),
    /** Ends that process at once, as a crash would. */
    kill(caller: string) {
      for (const [worker, of] of all) if (of === caller) worker.end();
    },
    /** Ends idle processes now, and busy ones when they have responded. */
    retire() {
      retired = true;
      for (const worker of idle.keys()) end(worker);
    },
    close() {
      closed = true;
      for (const worker of all.keys()) end(worker);
    },
  };
}
