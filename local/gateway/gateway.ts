import type { Clock } from '../clock.ts';
import type { ViewerRequest } from '../edge/viewer.ts';
import type { Pool } from '../functions/pool.ts';
import { MOST_PAYLOAD_BYTES } from '../functions/worker.ts';
import { Mistake } from '../mistake.ts';
import { refOf } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import { type Authorizer, createAuthorizer } from './authorizer.ts';
import { proxyEvent } from './event.ts';
import { answerOf, type HttpAnswer, problem } from './response.ts';
import { routeTable } from './routes.ts';

export type Gateway = ReturnType<typeof createGateway>;

type Route = { key: string; pool: Pool; authorizer: Authorizer };

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const MOST_BYTES = 10 * 1024 * 1024;
/**
 * A header of requests that are handled at the stack's time, even while users have real time: those of the demo and of the
 * provider.
 */
export const STACK_TIME = 'x-letterflow-stack-time';

const tooLarge = problem(413, 'Request Entity Too Large');

export function createGateway(
  resolver: Resolver,
  pools: Map<string, Pool>,
  { offset, usersOffset }: Pick<Clock, 'offset' | 'usersOffset'>,
) {
  const [api, ...others] = readAll(resolver, 'AWS::ApiGatewayV2::Api');
  if (!api || others.length > 0) throw new Mistake('The local stack serves templates with one HTTP API.');
  // Its properties are not used, but reading them fails if there are any that do not run here.
  readAll(resolver, 'AWS::ApiGatewayV2::Stage');
  const authorizers = new Map(
    readAll(resolver, 'AWS::ApiGatewayV2::Authorizer').map(({ resource, properties }) => [
      refOf(resource),
      createAuthorizer(properties, poolByUri(properties.AuthorizerUri, pools)),
    ]),
  );
  const integrations = new Map(
    readAll(resolver, 'AWS::ApiGatewayV2::Integration').map(({ resource, properties }) => [
      `integrations/${refOf(resource)}`,
      poolByUri(properties.IntegrationUri, pools),
    ]),
  );
  const routes = readAll(resolver, 'AWS::ApiGatewayV2::Route').map(
    ({ resource, properties: { RouteKey: key, Target, AuthorizerId } }): [string, Route] => {
      const [pool, authorizer] = [integrations.get(Target), authorizers.get(AuthorizerId)];
      if (pool && authorizer) return [key, { key, pool, authorizer }];
      throw new Mistake(`The template does not declare the integration or the authorizer of ${resource.id}.`);
    },
  );
  const find = routeTable(routes);
  const apiId = refOf(api.resource);
  const { region } = api.resource.stack;

  async function answer({ headers, ...asked }: ViewerRequest): Promise<HttpAnswer> {
    const { [STACK_TIME]: isAtStackTime, ...others } = headers;
    const request = { ...asked, headers: others };
    const at = isAtStackTime ? offset() : usersOffset();
    if (request.body.length > MOST_BYTES) return tooLarge;
    const match = find(request.method, request.path);
    if (!match) return problem(404, 'Not Found');
    const { key, pool, authorizer } = match.route;
    const place = { apiId, region, routeKey: key, now: new Date(Date.now() + at), offset: at };
    const refusal = await authorizer(request, place, match.parameters);
    if (refusal) return refusal;
    const event = proxyEvent(request, place, match.parameters);
    // API Gateway passes on the response of Lambda to an event that is too large.
    if (Buffer.byteLength(JSON.stringify(event)) > MOST_PAYLOAD_BYTES) return tooLarge;
    const outcome = await pool.invoke(event, at);
    // API Gateway would respond "Internal Server Error" or "Service Unavailable", which does not help a developer.
    if ('failure' in outcome) {
      return problem(outcome.failure.kind === 'timeout' ? 504 : 500, outcome.failure.sentence);
    }
    return answerOf(outcome.result) ?? problem(500, `${pool.entry} did not answer an HTTP response`);
  }

  return { apiId, answer };
}

/** Finds a function by its name, its ARN, or a URI that contains its ARN. */
export function poolByUri(uri: string, pools: Map<string, Pool>): Pool {
  const name = /:function:([^:/]+)/.exec(uri)?.[1] ?? uri;
  const pool = pools.get(name);
  if (pool) return pool;
  throw new Mistake(`The template calls the function ${name}, which is not one of ours.`);
}
