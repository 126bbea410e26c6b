// Purpose: the tools of assistants, by the Model Context Protocol. They call the public API with the caller's token, so this
// function has no rights of its own.
// Safe to run twice: reading changes nothing, and a plan is applied once.

import { acceptedContent, createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { Refusal } from '#core/refusal.ts';
import { PRODUCT } from '#shared/brand.ts';
import { ASSISTANT_SCOPES, OAUTH_PATHS } from '#shared/connection.ts';
import type { Plan, PlannedChange, Reached } from '#shared/plan.ts';
import { failureResponse, json, methodRefusal, refusalResponse } from '../http/response.ts';
import { described, log } from '../platform/log.ts';
import { env } from '../platform/runtime.ts';
import { APPLY, type Api, type Arguments, callTool, done, refused, resultOf, TOOLS } from './tools.ts';

const MOST_BODY_BYTES = 1024 * 1024;
// What the function leaves itself to answer.
const API_TIMEOUT_MS = 26_000;

export const INSTRUCTIONS = `${PRODUCT} sends emails to lists of people by automations. Read tools answer questions such as why somebody did not get an email. Nothing is changed directly: createPlan makes a plan that says what changes and whom it touches, and applyPlan applies it by its hash after a person has agreed. Show the plan's effect before you propose to apply it.`;

export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    return await answered(event);
  } catch (error) {
    const refusal = refusalResponse(error);
    if (!refusal) log.error('request failed', { error: described(error, []) });
    return refusal ?? failureResponse(error);
  }
}

async function answered(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const { method } = event.requestContext.http;
  if (event.rawPath !== OAUTH_PATHS.resource) return metadata(method, event.rawPath);
  if (method !== 'POST') throw new Refusal('wrong-method', 'This path takes POST alone.', { allow: 'POST' });
  const { origin, authorization } = event.headers;
  // A page in a browser calls with its origin: another one must not use what its visitor is signed in to.
  if (origin !== undefined && origin !== new URL(env('PUBLIC_URL')).origin)
    throw new Refusal('forbidden', 'Pages of other sites may not call this.');
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > MOST_BODY_BYTES) throw new Refusal('too-large', 'The body has more than 1 MB.');
  // Each message of a batch is a call of the API, and all of them come from the address of this function.
  if (/^\s*\[/.test(body.toString())) throw new Refusal('invalid', 'Send one message at a time.');
  const api = apiOf(authorization, event.headers['x-active-organization']);
  const me = await api('GET', '/api/v1/me');
  if (me.status !== 200) {
    const refused = json(me.status, me.body);
    const asks = me.status === 401 && { 'www-authenticate': challenge() };
    return { ...refused, headers: { ...refused.headers, ...asks } };
  }
  const handled = createMcpHandler(({ era }) => serverFor(api, era), {
    // A function does not keep a connection open.
    maxSubscriptions: 0,
    maxRequestBodySize: MOST_BODY_BYTES,
    onerror: error => log.info('refused by the protocol', { error: described(error, []) }),
  });
  const response = await handled.fetch(
    new Request(new URL('/mcp', env('PUBLIC_URL')), { method, headers: headersOf(event), body }),
  );
  log.info('request', { route: 'POST /mcp', status: response.status });
  return {
    statusCode: response.status,
    headers: { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' },
    body: await response.text(),
  };
}

const headersOf = ({ headers }: APIGatewayProxyEventV2) =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value !== undefined && /^(accept|content-type|mcp-[\w-]+)$/.test(name) ? [[name, value]] : [],
  );

/** The public API, called with the token of the caller. */
function apiOf(authorization: string | undefined, organization: string | undefined): Api {
  return async (method, pathAndQuery, body) => {
    const response = await fetch(new URL(pathAndQuery, env('PUBLIC_URL')), {
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(organization && { 'x-active-organization': organization }),
        ...(body && { 'content-type': 'application/json' }),
        'x-letterflow-agent': '1',
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(API_TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };
}

function serverFor(api: Api, era: 'legacy' | 'modern'): Server {
  const server = new Server(
    { name: PRODUCT.toLowerCase(), title: PRODUCT, version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, inputRequired: { legacyShim: false } },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: [...TOOLS.values()].map(({ tool }) => tool),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, context) => {
    const served = TOOLS.get(name);
    if (!served) return refused(`There is no tool ${name}`);
    if (name !== APPLY) return resultOf(await callTool(api, served, given));
    return applied(api, given, { era, responses: context.mcpReq.inputResponses });
  });
  return server;
}

const Agreement = z.object({ apply: z.boolean() });

type Asking = { era: 'legacy' | 'modern'; responses: Record<string, unknown> | undefined };

/** Asks the person who uses the client, with what the plan says, and applies it if they agree. */
async function applied(api: Api, given: Arguments, { era, responses }: Asking) {
  const served = TOOLS.get(APPLY);
  const hash = String(given.hash ?? '');
  if (!served || !/^[0-9a-f]{64}$/.test(hash)) return refused('hash must be the hash of a plan');
  const found = await api('GET', `/api/v1/plans/${hash}`);
  if (found.status !== 200) return resultOf(found);
  const plan = found.body as Plan;
  if (plan.applied_at) return done(`This plan was applied already, at ${plan.applied_at}.`);
  const page = new URL(`/plans/${hash}`, env('PUBLIC_URL'));
  if (era === 'legacy')
    return done(`This client cannot ask the person who uses it. They apply the plan on its page: ${page}`);
  const answer = responses?.agreement as { action?: string } | undefined;
  if (answer?.action !== undefined && acceptedContent(responses, 'agreement', Agreement)?.apply !== true)
    return done('The person did not agree, so nothing was changed.');
  if (answer?.action === 'accept') return resultOf(await callTool(api, served, given));
  return inputRequired({
    inputRequests: {
      agreement: inputRequired.elicit({
        message: questionOf(plan, page),
        requestedSchema: {
          type: 'object',
          properties: { apply: { type: 'boolean', title: 'Apply this plan' } },
          required: ['apply'],
        },
      }),
    },
  });
}

function questionOf({ changes, effect }: Plan, page: URL): string {
  const { newly_reached, no_longer_reached, days, sampled, counted_share } = effect;
  const sum = (field: 'more' | 'fewer') => days.reduce((total, day) => total + day[field], 0);
  // No deletion and no limit, which has no name, stands behind ten others.
  const isFirst = ({ action, name }: PlannedChange) => action === 'delete' || name === null;
  const named = [...changes.filter(isFirst), ...changes.filter(one => !isFirst(one))]
    .slice(0, 10)
    .map(({ action, kind, name }) =>
      `${action.replace('_', ' ')} ${kind.replace('_', ' ')} ${name ?? ''}`.trim(),
    );
  return [
    `Apply this plan? ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}: ${named.join(', ')}${changes.length > named.length ? ', …' : ''}.`,
    `In 30 days: ${counted(newly_reached)} people newly reached, ${counted(no_longer_reached)} no longer, ${sum('more')} emails more, ${sum('fewer')} fewer.`,
    ...(sampled || counted_share < 1 ? ['The numbers are of a sample.'] : []),
    `All of it: ${page}`,
  ].join('\n');
}

const counted = ({ count, margin }: Reached) => (margin > 0 ? `${count} (± ${margin})` : `${count}`);

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** What the tools are, and who gives access to them: https://www.rfc-editor.org/rfc/rfc9728 */
const resource = (site: string) => ({
  resource: site + OAUTH_PATHS.resource,
  resource_name: PRODUCT,
  authorization_servers: [site],
  scopes_supported: ASSISTANT_SCOPES,
});

/** How an assistant is connected: https://www.rfc-editor.org/rfc/rfc8414 */
const server = (site: string) => ({
  issuer: site,
  authorization_endpoint: site + OAUTH_PATHS.authorize,
  token_endpoint: site + OAUTH_PATHS.token,
  revocation_endpoint: site + OAUTH_PATHS.revoke,
  scopes_supported: ASSISTANT_SCOPES,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

/** A client looks for the document of the tools below their path too. */
const DOCUMENTS: Record<string, (site: string) => object> = {
  [RESOURCE]: resource,
  [RESOURCE + OAUTH_PATHS.resource]: resource,
  [SERVER]: server,
};

/** Needs no token. All addresses in it are below that of the stage, whatever host was called. */
function metadata(method: string, path: string): APIGatewayProxyStructuredResultV2 {
  const document = Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path] : undefined;
  if (!document) throw methodRefusal([]);
  if (method !== 'GET') throw methodRefusal([`GET ${path}`]);
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
    body: JSON.stringify(document(env('PUBLIC_URL'))),
  };
}

/** Where a client without a valid token learns how to get one. */
const challenge = () =>
  `Bearer resource_metadata="${env('PUBLIC_URL')}${RESOURCE}${OAUTH_PATHS.resource}", scope="${ASSISTANT_SCOPES.join(' ')}"`;
