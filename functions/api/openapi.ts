import { openapiRoutes } from '#shared/openapi.ts';
import { document } from '../http/openapi.ts';
import { serveUser } from '../http/serve.ts';

export const handler = serveUser(openapiRoutes, { 'GET /api/openapi.json': async () => document });
