import type { Context } from 'aws-lambda';
import * as connection from '#core/account/connection.ts';
import { requireScopes } from '#core/organization/organization.ts';
import * as record from '#core/organization/record.ts';
import { Refusal } from '#core/refusal.ts';
import { connectionRoutes, OAUTH_PATHS } from '#shared/connection.ts';
import type { Scope } from '#shared/permissions.ts';
import { OAUTH } from '#shared/routes.ts';
import { bodyOf, type Event, type Response } from '../http/request.ts';
import { failureResponse, json, methodRefusal, refusalResponse } from '../http/response.ts';
import { serve } from '../http/serve.ts';
import { described, log } from '../platform/log.ts';
import { env, now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { getDocument } from '../platform/webhook-post.ts';

const outside = () => ({ site: env('PUBLIC_URL'), load: getDocument });

const serveApp = serve(connectionRoutes, {
  'GET /api/connections/request': ({ query }) => connection.requested(outside(), query),
  'POST /api/connections': async ({ user, active, body: { scopes, max_people, ...asked }, now }) => {
    const { id, name } = active.organization;
    await requireScopes({ table }, user, id, scopes);
    const allowed = { user_id: user, organization: { id, name }, scopes, max_people };
    return connection.allow({ table, now, ...outside() }, asked, allowed);
  },
});

/** It also answers assistants, which call in the forms of OAuth, without a session. */
export const handler = (event: Event, context: Context): Promise<Response> =>
  event.routeKey === OAUTH.key ? answerAssistant(event) : serveApp(event, context);

async function answerAssistant(event: Event): Promise<Response> {
  const response = await answered(event).catch(error => {
    if (error instanceof Refusal && error.reason === 'invalid')
      return json(400, { error: connection.codeOf(error), error_description: error.message });
    const refusal = refusalResponse(error);
    if (!refusal) log.error('request failed', { route: OAUTH.key, error: described(error) });
    return refusal ?? failureResponse(error);
  });
  log.info('request', { route: OAUTH.key, status: response.statusCode });
  return response;
}

async function answered(event: Event): Promise<Response> {
  const { rawPath: path } = event;
  const isToken = path === OAUTH_PATHS.token;
  if (!isToken && path !== OAUTH_PATHS.revoke) throw methodRefusal([]);
  if (event.requestContext.http.method !== 'POST') throw methodRefusal([`POST ${path}`]);
  const at = now();
  const form = formOf(event);
  const needs = {
    table,
    now: at,
    site: env('PUBLIC_URL'),
    requireScopes: (user: string, organization: number, scopes: Scope[]) =>
      requireScopes({ table }, user, organization, scopes),
    recordedOf: (user: string) => record.recordedOf({ table, now: at, user, by: 'agent' }, 'token'),
  };
  if (isToken) return json(200, await connection.exchange(needs, form));
  await connection.revoke(needs, form);
  return json(200);
}

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const LONGEST_FORM = 8 * 1024;

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.2: no parameter comes twice. */
function formOf(event: Event): connection.Form {
  const body = bodyOf(event);
  const entries = [...new URLSearchParams(body.length > LONGEST_FORM ? '' : body)];
  const form = Object.fromEntries(entries);
  if (FORM.test(event.headers['content-type'] ?? '') && Object.keys(form).length === entries.length)
    return form;
  throw new Refusal('invalid', 'Send a form in which no field comes twice.');
}
