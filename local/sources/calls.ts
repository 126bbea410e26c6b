import type { Clock } from '../clock.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { messageOf } from '../mistake.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Source } from './source.ts';
import { createWaker } from './waker.ts';

export type Calls = Source & {
  /** Invokes a function; returns the outcome of the first attempt. Retries are timed from its instant `at`. */
  call: (pool: Pool, event: unknown, at: number) => Promise<Invoked>;
};

type Place = { clock: Clock; failed: (sentence: string) => void };
type Attempt = { pool: Pool; event: unknown; number: number; at: number };

const DEFAULT_RETRIES = 2;
const MINUTE = 60_000;
/** How long after the first and the second attempt a function that failed is invoked again. */
const PAUSES = [MINUTE, 2 * MINUTE];

/**
 * Asynchronous invocations, by rules of EventBridge: what fails is retried.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function createCalls(resolver: Resolver, pools: Map<string, Pool>, { clock, failed }: Place): Calls {
  const retries = new Map(
    readAll(resolver, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => [
      poolByUri(properties.FunctionName, pools),
      properties.MaximumRetryAttempts,
    ]),
  );
  let waiting: Attempt[] = [];
  const { begin, closed, ...waker } = createWaker(clock, retryDue, error => failed(messageOf(error)));

  async function retryDue(): Promise<number> {
    const due = waiting.filter(({ at }) => at <= clock.now());
    waiting = waiting.filter(attempt => !due.includes(attempt));
    for (const attempt of due) void make(attempt);
    return Math.min(Number.POSITIVE_INFINITY, ...waiting.map(({ at }) => at));
  }

  async function make({ pool, event, number, at }: Attempt): Promise<Invoked> {
    const end = begin();
    const outcome = await pool.invoke(event);
    if ('failure' in outcome && !closed()) {
      const pause = number > (retries.get(pool) ?? DEFAULT_RETRIES) ? undefined : PAUSES[number - 1];
      if (pause !== undefined) waiting.push({ pool, event, number: number + 1, at: at + pause });
      else failed(`${pool.entry} gave up an event after ${number} ${number === 1 ? 'attempt' : 'attempts'}`);
      waker.wake();
    }
    end();
    return outcome;
  }

  return { ...waker, call: (pool, event, at) => make({ pool, event, number: 1, at }) };
}
