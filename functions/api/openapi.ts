import { document } from '../http/openapi.ts';
import { serve } from '../http/serve.ts';

export const handler = serve<'openapi'>({
  'GET /api/openapi.json': async () => document,
});
