import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { APIGatewayEventRequestContextV2, APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ViewerRequest } from '../edge/viewer.ts';
import { ACCOUNT } from '../template/resolver.ts';

export type Place = {
  apiId: string;
  region: string;
  routeKey: string;
  now: Date;
  /** The offset of that time from real time. */
  offset: number;
};

/** The event of a Lambda integration, payload format 2.0. */
export function proxyEvent(
  request: ViewerRequest,
  place: Place,
  parameters: Record<string, string>,
): APIGatewayProxyEventV2 {
  const base64 = request.body.length > 0 && !isText(request);
  return {
    version: '2.0',
    ...requestEvent(request, place, parameters),
    ...(request.body.length > 0 && { body: request.body.toString(base64 ? 'base64' : 'utf8') }),
    isBase64Encoded: base64,
  };
}

/** The event of a Lambda authorizer: the request without its body. */
export function authorizerEvent(
  request: ViewerRequest,
  place: Place,
  parameters: Record<string, string>,
  identitySource: string[],
) {
  const routeArn = `arn:aws:execute-api:${place.region}:${ACCOUNT}:${place.apiId}/$default/${place.routeKey}`;
  const event = requestEvent(request, place, parameters);
  return { version: '2.0', type: 'REQUEST', routeArn, identitySource, ...event };
}

function requestEvent(
  request: ViewerRequest,
  { apiId, region, routeKey, now }: Place,
  parameters: Record<string, string>,
) {
  const { cookie, ...headers } = request.headers;
  const query = queryOf(request.query);
  const requestContext: APIGatewayEventRequestContextV2 = {
    accountId: ACCOUNT,
    apiId,
    domainName: `${apiId}.execute-api.${region}.amazonaws.com`,
    domainPrefix: apiId,
    http: {
      method: request.method,
      path: request.path,
      protocol: 'HTTP/1.1',
      sourceIp: request.ip,
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: randomUUID(),
    routeKey,
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now.getTime(),
  };
  return {
    routeKey,
    rawPath: request.path,
    rawQueryString: request.query,
    ...(cookie && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext,
  };
}

/** Format 2.0 joins the values of a repeated name by a comma. */
function queryOf(query: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    values[name] = Object.hasOwn(values, name) ? `${values[name]},${value}` : value;
  }
  return values;
}

const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|.*\+(json|xml))\b)/i;

function isText({ headers, body }: ViewerRequest): boolean {
  const type = headers['content-type'];
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') return false;
  return (!type || TEXT.test(type)) && isUtf8(body);
}

/** Such as 12/Mar/2026:19:03:58 +0000. */
function commonLogTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().replace(',', '').split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
