import type { Context } from 'aws-lambda';
import { openapiRoutes } from '#shared/openapi.ts';
import type { Problem } from '#shared/problem.ts';
import { UNDECLARED } from '#shared/routes.ts';
import { document } from '../http/openapi.ts';
import type { Event, Response } from '../http/request.ts';
import { json } from '../http/response.ts';
import { serveUser } from '../http/serve.ts';

const serve = serveUser(openapiRoutes, { 'GET /api/openapi.json': async () => document });

/** Having the document, it also answers what that does not declare. */
export const handler = async (event: Event, context: Context) =>
  event.routeKey === UNDECLARED.key ? refusalOf(event.rawPath) : serve(event, context);

function refusalOf(path: string): Response {
  const methods = Object.entries(document.paths).flatMap(([declared, operations]) =>
    isOf(declared, path) ? Object.keys(operations) : [],
  );
  const allow = [...new Set(methods)].sort().join(', ').toUpperCase();
  if (!allow) return json(404, { message: 'There is nothing here.' } satisfies Problem);
  const refusal = json(405, { message: `This path takes ${allow} alone.` } satisfies Problem);
  return { ...refusal, headers: { ...refusal.headers, allow } };
}

function isOf(declared: string, path: string): boolean {
  const parts = path.split('/');
  const segments = declared.split('/');
  return (
    segments.length === parts.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === parts[index])
  );
}
