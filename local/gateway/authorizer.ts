import type { Pool } from '../functions/pool.ts';
import type { Properties } from '../template/kinds.ts';
import { type ApiRequest, authorizerEvent } from './event.ts';
import { type HttpAnswer, problem } from './response.ts';

export type Authorized = { context: Record<string, unknown> } | { refused: HttpAnswer };
export type Authorizer = (
  request: ApiRequest,
  place: { apiId: string; region: string; routeKey: string; now: Date },
  parameters: Record<string, string>,
) => Promise<Authorized>;

type Verdict = { isAuthorized: boolean; context?: Record<string, unknown> };

const DEFAULT_TTL_SECONDS = 300;

/** A Lambda authorizer with simple responses, which is asked once per identity while its answer holds. */
export function createAuthorizer(
  properties: Properties<'AWS::ApiGatewayV2::Authorizer'>,
  pool: Pool,
): Authorizer {
  const sources = properties.IdentitySource ?? [];
  const ttl = (properties.AuthorizerResultTtlInSeconds ?? DEFAULT_TTL_SECONDS) * 1000;
  const verdicts = new Map<string, { verdict: Verdict; until: number }>();

  return async (request, place, parameters) => {
    const identity = sources.map(source => identityOf(source, request));
    if (identity.some(value => !value)) return { refused: problem(401, 'Unauthorized') };
    const key = JSON.stringify(identity);
    const kept = verdicts.get(key);
    if (kept && kept.until > place.now.getTime()) return judged(kept.verdict);

    const arn = `arn:aws:execute-api:${place.region}:${place.apiId}/$default/${place.routeKey}`;
    const event = authorizerEvent(request, place, parameters, { identitySource: identity.map(String), arn });
    const outcome = await pool.invoke(event);
    if ('failure' in outcome) return { refused: problem(500, outcome.failure.sentence) };
    const verdict = JSON.parse(outcome.result ?? 'null') as Verdict | null;
    if (typeof verdict?.isAuthorized !== 'boolean') {
      return {
        refused: problem(500, `${pool.entry} answered no verdict: {isAuthorized: true or false} is expected`),
      };
    }
    if (ttl > 0) verdicts.set(key, { verdict, until: place.now.getTime() + ttl });
    return judged(verdict);
  };
}

const judged = ({ isAuthorized, context = {} }: Verdict): Authorized =>
  isAuthorized ? { context } : { refused: problem(403, 'Forbidden') };

function identityOf(source: string, { headers, query }: ApiRequest): string | undefined {
  const [, kind, name = ''] = /^\$request\.(header|querystring)\.(.+)$/.exec(source) ?? [];
  if (kind === 'header') return headers[name.toLowerCase()];
  if (kind === 'querystring') return new URLSearchParams(query).get(name) ?? undefined;
  throw new Error(`The local stack does not understand the identity source ${source}`);
}
