import { openapiRoutes } from '#shared/openapi.ts';
import { document } from '../http/openapi.ts';
import { serve } from '../http/serve.ts';

export const handler = serve(openapiRoutes, {
  'GET /api/openapi.json': async () => document,
});
