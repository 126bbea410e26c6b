import * as z from 'zod/mini';
import { PRODUCT } from '../../shared/brand.ts';
import { Problem } from '../../shared/problem.ts';
import { type Route, routes } from '../../shared/routes.ts';

const jsonBody = (schema: z.ZodMiniType, io: 'input' | 'output') => ({
  'application/json': { schema: jsonSchema(schema, io) },
});

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain;
}

function operation(key: string, route: Route) {
  const names = [...key.matchAll(/{(\w+)}/g)].map(([, name]) => name);
  return {
    tags: [route.group],
    summary: route.summary,
    security: securityOf(route),
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...queryParameters(route),
      ...(route.permission === 'public' ? [] : [{ $ref: '#/components/parameters/ActiveOrganization' }]),
    ],
    ...(route.body && { requestBody: { required: true, content: jsonBody(route.body, 'input') } }),
    responses: {
      [route.status]: {
        description: route.summary,
        ...(route.answer && { content: jsonBody(route.answer, 'output') }),
      },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

/** A guest may name themselves or not: either requirement will do. */
function securityOf({ permission, credential }: Route): Record<string, string[]>[] {
  if (permission === 'public') return [];
  if (credential === 'token') return [{ apiToken: [] }];
  return permission === 'guest' ? [{}, { session: [] }] : [{ session: [] }];
}

function queryParameters({ query }: Route) {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function paths() {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [key, route] of Object.entries(routes)) {
    const [method = '', path = ''] = key.split(' ');
    found[path] = { ...found[path], [method.toLowerCase()]: operation(key, route) };
  }
  return found;
}

export const document = {
  openapi: '3.1.0' as const,
  info: { title: `${PRODUCT} API`, version: '1' },
  servers: [{ url: '/' }],
  paths: paths(),
  components: {
    securitySchemes: {
      session: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers.' },
      apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, created on the profile page.' },
    },
    parameters: {
      ActiveOrganization: {
        name: 'X-Active-Organization',
        in: 'header',
        required: false,
        schema: { type: 'integer' },
        description: 'The organization that the call is about.',
      },
    },
    responses: {
      Problem: { description: 'Refused, and why', content: jsonBody(Problem, 'output') },
    },
  },
};
