import { MINUTE } from '#shared/time.ts';
import type { Clock } from '../clock.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { messageOf } from '../mistake.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { PendingCall, PendingCalls } from './pending-calls.ts';
import type { QueueSender } from './queues.ts';
import { createWaker } from './waker.ts';

export type Calls = ReturnType<typeof createCalls>;

type Place = {
  clock: Clock;
  pending: PendingCalls;
  failed: (sentence: string) => void;
  send: QueueSender;
  region: string;
};

const DEFAULT_RETRIES = 2;
/** The pauses before the second and the third attempt. */
const PAUSES = [MINUTE, 2 * MINUTE];

/**
 * Asynchronous invocations by rules of EventBridge. Failed ones are retried, then sent to the queue of their `OnFailure`.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function createCalls(
  resolver: Resolver,
  pools: Map<string, Pool>,
  { clock, pending, failed, send, region }: Place,
) {
  const configs = new Map(
    readAll(resolver, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => [
      poolByUri(properties.FunctionName, pools),
      properties,
    ]),
  );
  const { begin, closed, ...waker } = createWaker(clock, makeDue, error => failed(messageOf(error)));

  async function makeDue(): Promise<number> {
    for (const call of pending.takeDue(clock.now())) {
      const pool = pools.get(call.name);
      if (pool) void make(pool, call);
      // The template does not have this function any more.
      else pending.remove(call);
    }
    return pending.nextDue();
  }

  async function make(pool: Pool, call: PendingCall): Promise<Invoked> {
    const end = begin();
    const outcome = await pool.invoke(call.event);
    if ('result' in outcome) pending.remove(call);
    // A function that was interrupted by the end of the stack has not failed.
    else if (closed()) pending.putBack(call);
    else await retryOrGiveUp(pool, call);
    end();
    return outcome;
  }

  async function retryOrGiveUp(pool: Pool, call: PendingCall): Promise<void> {
    const { attempt, at } = call;
    const { MaximumRetryAttempts: most = DEFAULT_RETRIES, DestinationConfig: lost } = configs.get(pool) ?? {};
    const pause = attempt > most ? undefined : PAUSES[attempt - 1];
    if (pause !== undefined) {
      pending.putBack({ ...call, attempt: attempt + 1, at: at + pause });
      waker.wake();
    } else {
      // https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
      const requestContext = { condition: 'RetriesExhausted', approximateInvokeCount: attempt };
      if (lost)
        await send(lost.OnFailure.Destination, region, { requestContext, requestPayload: call.event });
      pending.remove(call);
      failed(`${pool.entry} gave up an event after ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}`);
    }
  }

  waker.wake();
  return {
    ...waker,
    /** Invokes a function; returns the outcome of the first attempt. Retries are due relative to the instant `at`. */
    call: (pool: Pool, event: unknown, at: number) => make(pool, pending.add({ name: pool.name, event, at })),
  };
}
