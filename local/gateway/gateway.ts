import type { Pool } from '../functions/pool.ts';
import { Mistake } from '../mistake.ts';
import { refOf } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import { type Authorizer, createAuthorizer } from './authorizer.ts';
import { type ApiRequest, proxyEvent } from './event.ts';
import { answerOf, type HttpAnswer, problem } from './response.ts';
import { routeTable } from './routes.ts';

/** The HTTP APIs of the template, by id. */
export type Gateway = Map<string, (request: ApiRequest) => Promise<HttpAnswer>>;

type Route = { key: string; pool: Pool; authorizer: Authorizer | undefined };

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const MOST_BYTES = 10 * 1024 * 1024;

export function createGateway(resolver: Resolver, pools: Map<string, Pool>, now: () => number): Gateway {
  const read = {
    apis: readAll(resolver, 'AWS::ApiGatewayV2::Api'),
    routes: readAll(resolver, 'AWS::ApiGatewayV2::Route'),
    integrations: readAll(resolver, 'AWS::ApiGatewayV2::Integration'),
    authorizers: readAll(resolver, 'AWS::ApiGatewayV2::Authorizer'),
    stages: readAll(resolver, 'AWS::ApiGatewayV2::Stage'),
  };

  const poolOf = (uri: string) => poolByUri(uri, pools);
  const authorizers = new Map(
    read.authorizers.map(({ resource, properties }) => [
      refOf(resource),
      createAuthorizer(properties, poolOf(properties.AuthorizerUri)),
    ]),
  );
  const integrations = new Map(
    read.integrations.map(({ resource, properties }) => [refOf(resource), poolOf(properties.IntegrationUri)]),
  );

  return new Map(
    read.apis.map(({ resource }) => {
      const apiId = refOf(resource);
      const routes = read.routes
        .filter(({ properties }) => properties.ApiId === apiId)
        .map(({ resource: { id }, properties }): [string, Route] => {
          const pool = integrations.get(properties.Target.replace('integrations/', ''));
          if (!pool) throw new Mistake(`The route ${id} has no integration the local stack knows.`);
          const authorizer = properties.AuthorizerId ? authorizers.get(properties.AuthorizerId) : undefined;
          if (properties.AuthorizationType === 'CUSTOM' && !authorizer) {
            throw new Mistake(`The route ${id} has no authorizer the local stack knows.`);
          }
          return [properties.RouteKey, { key: properties.RouteKey, pool, authorizer }];
        });
      const find = routeTable(routes);
      return [apiId, request => answer(request, find, { apiId, region: resource.stack.region, now })];
    }),
  );
}

type Place = { apiId: string; region: string; now: () => number };

async function answer(
  request: ApiRequest,
  find: ReturnType<typeof routeTable<Route>>,
  { apiId, region, now }: Place,
): Promise<HttpAnswer> {
  if (request.body.length > MOST_BYTES) return problem(413, 'Request Entity Too Large');
  const match = find(request.method, request.path);
  if (!match) return problem(404, 'Not Found');
  const { key, pool, authorizer } = match.route;
  const place = { apiId, region, routeKey: key, now: new Date(now()) };
  const authorized = await authorizer?.(request, place, match.parameters);
  if (authorized && 'refused' in authorized) return authorized.refused;
  const outcome = await pool.invoke(proxyEvent(request, place, match.parameters, authorized?.context));
  // Deployed, these are "Internal Server Error" and "Service Unavailable": here somebody wants to know.
  if ('failure' in outcome) {
    return problem(outcome.failure.kind === 'timeout' ? 504 : 500, outcome.failure.sentence);
  }
  return answerOf(outcome.result) ?? problem(500, `${pool.entry} answered what is no HTTP answer`);
}

/** The function that an ARN, or an address made of one, names. */
export function poolByUri(uri: string, pools: Map<string, Pool>): Pool {
  const name = /:function:([^:/]+)/.exec(uri)?.[1] ?? uri;
  const pool = pools.get(name);
  if (pool) return pool;
  throw new Mistake(`The template calls the function ${name}, which is none of ours.`);
}
