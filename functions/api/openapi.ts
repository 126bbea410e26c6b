import type { Context } from 'aws-lambda';
import { openapiRoutes } from '#shared/openapi.ts';
import { programRoutes, routes, UNDECLARED } from '#shared/routes.ts';
import { document } from '../http/openapi.ts';
import type { Event } from '../http/request.ts';
import { methodRefusal, refusalResponse } from '../http/response.ts';
import { serveUser } from '../http/serve.ts';

const serve = serveUser(openapiRoutes, { 'GET /api/openapi.json': async () => document });
const KEYS = Object.keys({ ...routes, ...programRoutes });

/** Having the document, it also answers what that does not declare. */
export const handler = async (event: Event, context: Context) =>
  event.routeKey === UNDECLARED.key
    ? refusalResponse(methodRefusal(KEYS.filter(key => isOf(key, event.rawPath))))
    : serve(event, context);

function isOf(key: string, path: string): boolean {
  const parts = path.split('/');
  const segments = key.slice(key.indexOf(' ') + 1).split('/');
  return (
    segments.length === parts.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === parts[index])
  );
}
