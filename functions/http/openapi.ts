import * as z from 'zod/mini';
import { PRODUCT } from '../../shared/brand.ts';
import { Problem } from '../../shared/problem.ts';
import { type Route, type RouteTable, statusOf } from '../../shared/route.ts';
import { type Group, groups } from '../../shared/routes.ts';

/** The tags: what the routes of each group are about. */
const TAGS: Record<Group, string> = {
  login: 'Signing in with a one-time code',
  user: 'The user who is signed in',
  organization: 'Organizations, their names and logos',
  member: 'The members of an organization, and whom it invites',
  invitation: 'Invitations, as the invited person sees them',
  token: 'API tokens',
  list: 'Email lists',
  'unsubscribe-webhook': 'Who is told when a member of a list unsubscribes, bounces or complains',
  'list-member': 'The members of email lists',
  'member-import': 'Members of an email list from a file',
  export: 'What is stored about the members of a list, or about a person',
  erasure: 'Erasing a person, and the record of it',
  'email-asset': 'Pieces of emails, which are combined',
  'email-template': 'Whole emails',
  automation: 'Automations: what content can be linked to, and previews',
  'automation-content': 'What an automation sends: its templates, assets and their combinations',
  'dry-run': 'What a change would send, before it is made',
  'email-send': 'The emails that were sent, or that were due',
  explanation: 'Why an email was sent, or was not',
  reporting: 'What happened to the emails of each combination',
  safeguards: 'How many emails a recipient may get',
  v1: 'The public API, for programs with an API token',
  openapi: 'This document',
};

/** Why a call is refused. Each answer has the same shape. */
const REFUSALS = {
  401: 'There is no valid session or API token',
  403: 'The caller lacks the right, or is no member of the organization in X-Active-Organization',
  404: 'What the path names does not exist, or belongs to another organization',
  409: 'Another change came first: read again, and repeat the call. Or there are as many as there can be',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The query or the body is invalid: `errors` has the texts for each field',
  429: 'Too many calls: repeat after the seconds in Retry-After',
} as const;
type Refusal = keyof typeof REFUSALS;

function refusalsOf(method: string, path: string, { permission, body, query }: Route): Refusal[] {
  const isAboutOrganization = !['public', 'guest', 'session'].includes(permission);
  const applies: Record<Refusal, boolean> = {
    401: permission !== 'public',
    403: isAboutOrganization,
    404: isAboutOrganization || path.includes('{'),
    409: method !== 'get' && permission !== 'public',
    413: body !== undefined,
    415: body !== undefined,
    422: body !== undefined || query !== undefined || isAboutOrganization,
    429: true,
  };
  return (Object.keys(applies).map(Number) as Refusal[]).filter(status => applies[status]);
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain;
}

const jsonBody = (schema: z.ZodMiniType, io: 'input' | 'output') => ({
  'application/json': { schema: jsonSchema(schema, io) },
});

function operation(group: Group, method: string, path: string, route: Route) {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
  const refusals = refusalsOf(method, path, route).map(status => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  return {
    operationId: route.id,
    tags: [group],
    summary: route.summary,
    security: securityOf(route),
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...queryParameters(route),
      ...(route.credential === 'token' && method !== 'get'
        ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
        : []),
      ...(route.permission === 'public' ? [] : [{ $ref: '#/components/parameters/ActiveOrganization' }]),
    ],
    ...(route.body && { requestBody: { required: true, content: jsonBody(route.body, 'input') } }),
    responses: {
      [statusOf(route)]: {
        description: route.summary,
        ...(route.answer && { content: jsonBody(route.answer, 'output') }),
      },
      ...Object.fromEntries(refusals),
    },
  };
}

/** A guest may call with a session or without: either requirement is enough. */
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
  const found: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [group, routes] of Object.entries(groups) as [Group, RouteTable][]) {
    for (const [key, route] of Object.entries(routes)) {
      const [verb = '', path = ''] = key.split(' ');
      const method = verb.toLowerCase();
      found[path] = { ...found[path], [method]: operation(group, method, path, route) };
    }
  }
  return found;
}

const problem = (description: string) => ({ description, content: jsonBody(Problem, 'output') });

export const document = {
  openapi: '3.1.0' as const,
  info: {
    title: `${PRODUCT} API`,
    version: '1',
    description: `The API of ${PRODUCT}. Routes below /api/v1 are for programs and take an API token; the others are those of the web app and take the token of a session.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ session: [] }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: paths(),
  components: {
    securitySchemes: {
      session: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers.' },
      apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, created on the profile page.' },
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
        description:
          'A name for this call, of your choice. The same call with the same key is answered as before for 24 hours, and does nothing again; another call with it is refused with 409, as is a repetition while the first one is still being answered. What was refused or failed is tried again.',
      },
      ActiveOrganization: {
        name: 'X-Active-Organization',
        in: 'header',
        required: false,
        schema: { type: 'integer' },
        description:
          'The organization that the call is about; without it, the default organization of the caller.',
      },
    },
    responses: Object.fromEntries(
      Object.entries(REFUSALS).map(([status, description]) => [status, problem(description)]),
    ),
  },
};
