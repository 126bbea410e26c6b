import * as z from 'zod/mini';
import type { RouteTable } from './route.ts';

// biome-ignore format: a table of routes
export const openapiRoutes = {
  'GET /api/openapi.json': { id: 'getOpenApiDocument', permission: 'public',
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
    summary: 'This API as an OpenAPI 3.1 document' },
} as const satisfies RouteTable;
