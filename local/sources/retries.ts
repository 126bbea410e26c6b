import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';

// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
const USUAL_RETRIES = 2;
/** How many minutes after its first and its second failure a call that nobody waits for is tried again. */
const PAUSES = [1, 2];

/** How often a function that failed at such a call is tried again, where the template says so. */
export function retries(resolver: Resolver, pools: Map<string, Pool>): (pool: Pool) => number {
  const known = new Map(
    readAll(resolver, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => [
      poolByUri(properties.FunctionName, pools),
      properties.MaximumRetryAttempts ?? USUAL_RETRIES,
    ]),
  );
  return pool => known.get(pool) ?? USUAL_RETRIES;
}

export const pauseAfter = (attempt: number) => (PAUSES[attempt - 1] ?? 0) * 60_000;
