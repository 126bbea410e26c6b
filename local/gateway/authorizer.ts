import type { ViewerRequest } from '../edge/viewer.ts';
import type { Pool } from '../functions/pool.ts';
import type { Properties } from '../template/kinds.ts';
import { authorizerEvent, type Place } from './event.ts';
import { type HttpAnswer, problem } from './response.ts';

/** Returns the response to a refused request; undefined if the request is authorized. */
export type Authorizer = (
  request: ViewerRequest,
  place: Place,
  parameters: Record<string, string>,
) => Promise<HttpAnswer | undefined>;

/** A Lambda authorizer with simple responses. Its result is cached per identity, for the TTL. */
export function createAuthorizer(
  { IdentitySource, AuthorizerResultTtlInSeconds }: Properties<'AWS::ApiGatewayV2::Authorizer'>,
  pool: Pool,
): Authorizer {
  const names = IdentitySource.map(source => source.replace('$request.header.', '').toLowerCase());
  const answers = new Map<string, { allowed: boolean; until: number }>();

  return async (request, place, parameters) => {
    const identity = names.map(name => request.headers[name] ?? '');
    if (identity.includes('')) return problem(401, 'Unauthorized');
    const key = JSON.stringify(identity);
    const kept = answers.get(key);
    if (kept && kept.until > place.now.getTime()) return refusalOf(kept.allowed);

    const outcome = await pool.invoke(authorizerEvent(request, place, parameters, identity), place.offset);
    if ('failure' in outcome) return problem(500, outcome.failure.sentence);
    const allowed: unknown = JSON.parse(outcome.result ?? 'null')?.isAuthorized;
    if (typeof allowed !== 'boolean') {
      return problem(500, `${pool.entry} did not answer {isAuthorized: true} or {isAuthorized: false}`);
    }
    answers.set(key, { allowed, until: place.now.getTime() + AuthorizerResultTtlInSeconds * 1000 });
    return refusalOf(allowed);
  };
}

const refusalOf = (allowed: boolean) => (allowed ? undefined : problem(403, 'Forbidden'));
