import * as z from 'zod/mini';
import { PRODUCT } from '#shared/brand.ts';
import { budgetText } from '#shared/budgets.ts';
import {
  API_TEXTS,
  FIELD_TEXTS,
  type FieldText,
  OPERATION_TEXTS,
  REFUSAL_TEXTS,
} from '#shared/openapi-texts.ts';
import { ACTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { Problem } from '#shared/problem.ts';
import { type Route, type RouteTable, scopeOf, statusOf, twinKeyOf, twinsOf } from '#shared/route.ts';
import { type Section, sections } from '#shared/routes.ts';

/** It gets a higher number with each change that programs can see: docs/api-changelog.md says what is new. */
const VERSION = '1.3.0';

const TAGS: Record<Section, string> = {
  v1: 'For programs alone: the token itself, and many members, events and values',
  login: 'Signing in with a one-time code',
  user: 'The user who is signed in',
  organization: 'Organizations, their names and logos',
  record: 'Who changed what in an organization',
  member: 'The members of an organization, and whom it invites',
  invitation: 'Invitations, as the invited person sees them',
  token: 'API tokens',
  connection: 'Assistants that a user connects',
  list: 'Email lists',
  look: 'How emails look: colors, logo, button and footer',
  identity: 'The domain of an email list where Amazon SES sends its emails',
  'unsubscribe-webhook': 'Programs that are told what happens to members, emails and automations',
  'list-member': 'The members of email lists',
  'member-import': 'Members of an email list from a file',
  export: 'What is stored about the members of a list, or about a person',
  erasure: 'Erasing a person',
  'email-asset': 'Pieces of emails, which are combined',
  'email-template': 'Whole emails',
  image: 'Images in the content of emails',
  automation: 'Automations: what content can be linked to, and previews',
  sequence: 'Sequences: automations that are the steps of one course',
  broadcast: 'One email to everybody on some lists who matches its conditions',
  event: 'Events that came for members, at which automations can start',
  'automation-content': 'What an automation sends: its templates, assets and their combinations',
  'dry-run': 'What a change would send, before it is made',
  plan: 'Changes of automations, sequences, content and limits together: made as a plan that says whom they touch, and applied by its hash',
  'email-send': 'The emails that were sent, or that were due',
  explanation: 'Why an email was sent, or was not',
  reporting: 'What happened to the emails of each combination',
  home: 'What needs attention, and the first steps of a new organization',
  safeguards: 'How many emails a recipient may get',
  openapi: 'This document',
};

type Refusal = keyof typeof REFUSAL_TEXTS;

function refusalsOf(method: string, path: string, { permission, body, query }: Route): Refusal[] {
  const isAboutOrganization = !['public', 'guest', 'session'].includes(permission);
  const applies: Record<Refusal, boolean> = {
    401: permission !== 'public',
    403: isAboutOrganization,
    404: isAboutOrganization || path.includes('{'),
    // A preview needs content.
    409: method !== 'get' || path.endsWith('/preview'),
    413: body !== undefined,
    415: body !== undefined,
    422: body !== undefined || query !== undefined || isAboutOrganization,
    429: true,
    431: true,
  };
  return (Object.keys(applies).map(Number) as Refusal[]).filter(status => applies[status]);
}

type Named = { id: string; group: string };

type Schema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  anyOf?: Schema[];
  [keyword: string]: unknown;
};

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output', of: Named, as?: string): Schema {
  const plain = plainSchema(schema, io);
  const text = as === undefined ? undefined : FIELD_TEXTS[`${of.id}.${as}`];
  return withText(
    described(io === 'input' ? withDefaults(plain, plainSchema(schema, 'output')) : plain, of),
    text,
  );
}

function plainSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Schema {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain as Schema;
}

/** Adds defaults of fields that are parsed in two steps: zod knows these in the output schema only. */
function withDefaults(input: Schema, output: Schema): Schema {
  if (!input.properties) return input;
  const properties = Object.entries(input.properties).map(([name, part]): [string, Schema] => {
    const { default: standard } = output.properties?.[name] ?? {};
    return [name, standard === undefined ? part : { default: standard, ...part }];
  });
  return { ...input, properties: Object.fromEntries(properties) };
}

const jsonBody = (schema: z.ZodMiniType, io: 'input' | 'output', of: Named, as?: string) => ({
  'application/json': { schema: jsonSchema(schema, io, of, as) },
});

/** By the operation, then by what contains the field, or by the group if nothing does, then by the name alone. */
function textOf(name: string, { id, group }: Named, within?: string): FieldText | undefined {
  const inGroup = within === undefined ? FIELD_TEXTS[`${group}.${name}`] : FIELD_TEXTS[`${within}.${name}`];
  return FIELD_TEXTS[`${id}.${name}`] ?? inGroup ?? FIELD_TEXTS[name];
}

/** The text of a path parameter. Without a text of its own, it is described as an id. */
const pathText = (name: string, of: Named): FieldText => {
  const words = name.replace(/[A-Z]/g, letter => `_${letter}`);
  return {
    description: `The id of the ${words.replaceAll('_', ' ').toLowerCase()}`,
    examples: [`${words.toUpperCase()}_ID`],
    ...textOf(`path.${name}`, of),
  };
};

/** A schema with the texts of its fields, and without parts that tell a reader nothing. */
function described(schema: Schema, of: Named, within?: string): Schema {
  const { anyOf, items, properties, additionalProperties, propertyNames, ...rest } = withoutNoise(schema);
  const inner = (part: Schema, name = within) => described(part, of, name);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(part => inner(part)) }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties)
          // Fields that are always refused.
          .filter(([, part]) => !part.not)
          .map(([name, part]) => [name, withText(inner(part, name), textOf(name, of, within))]),
      ),
    }),
    ...(propertyNames?.enum !== undefined && { propertyNames }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
    }),
  };
}

/** What the schema says itself has precedence, except for the contents of an array or an object. */
function withText(schema: Schema, text: FieldText | undefined): Schema {
  if (!text || !isExampleOf(schema, text)) return schema;
  const { items, ...said } = text as FieldText & { items?: Schema };
  const isOpen = schema.items && Object.keys(schema.items).length === 0;
  return { ...said, ...schema, ...(items && isOpen && { items }) };
}

/** Otherwise the text is of another field with the same name, such as a count instead of a text. */
function isExampleOf(schema: Schema, { examples }: FieldText): boolean {
  const types = typesOf(schema);
  if (!examples || types.length === 0) return true;
  const [example] = examples;
  if (example === null) return types.includes('null');
  if (Array.isArray(example)) return types.includes('array');
  return typeof example === 'number'
    ? types.includes('number') || types.includes('integer')
    : types.includes(typeof example);
}

const typesOf = ({ type, anyOf, enum: values }: Schema): string[] => {
  if (anyOf) return anyOf.flatMap(typesOf);
  return type === undefined ? ((values as unknown[]) ?? []).map(value => typeof value) : [type].flat();
};

/** The pattern of a number in a query, which is sent as text. */
const DIGITS = /^\^(\[1-9\])?\\d\{\d,\d+\}\$$/;

function withoutNoise({ anyOf, ...schema }: Schema): Schema {
  const [number, digits] = anyOf ?? [];
  if (anyOf?.length === 2 && number && DIGITS.test(digits?.pattern ?? ''))
    return { ...withoutNoise(number), ...schema };
  if (DIGITS.test(schema.pattern ?? '')) {
    const { pattern, ...plain } = schema;
    return { ...plain, type: 'integer' };
  }
  const { minimum, maximum, pattern, ...plain } = schema;
  return {
    ...plain,
    ...(anyOf && { anyOf }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    // A format implies its pattern, which is long.
    ...(pattern !== undefined && !schema.format && { pattern }),
  };
}

function operation(section: Section, method: string, path: string, route: Route) {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const of = { id: route.id, group: section };
  const refusals = refusalsOf(method, path, route).map(status => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  return {
    operationId: route.id,
    tags: [section],
    summary: route.summary,
    description: descriptionOf(route),
    'x-rights': rightsOf(route),
    security: securityOf(route),
    parameters: [
      ...names.map(name => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', ...pathText(name, of) },
      })),
      ...queryParameters(route, of),
      ...(route.credential === 'token' && method !== 'get'
        ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
        : []),
      ...(route.permission === 'public' ? [] : [{ $ref: '#/components/parameters/ActiveOrganization' }]),
    ],
    ...(route.body && {
      requestBody: { required: true, content: jsonBody(route.body, 'input', of, 'body') },
    }),
    responses: {
      [statusOf(route)]: {
        description: route.answer ? 'It was done.' : 'It was done; the body is empty.',
        ...(route.answer && { content: jsonBody(route.answer, 'output', of) }),
      },
      ...Object.fromEntries(refusals),
    },
  };
}

function descriptionOf(route: Route): string {
  const { id, switches, status, budget } = route;
  const isSwitch = status === 201 ? 'creates something active' : 'has `active` or `include_existing`';
  return [
    OPERATION_TEXTS[id],
    switches && `The token needs the scope \`sending\` as well where the body ${isSwitch}.`,
    budget && budgetText(budget),
  ]
    .filter(Boolean)
    .join(' ');
}

function rightsOf({ permission }: Route): string {
  if (permission === 'public' || permission === 'guest') return 'Anyone';
  if (permission === 'session') return 'Anyone who is signed in';
  const roles: readonly Role[] = ACTIONS[permission];
  if (roles.length === ROLES.length) return 'Every member of the organization';
  return `Members of the organization with the role ${roles.join(' or ')}`;
}

/** A guest may call with a session or without one: either requirement is enough. */
function securityOf(route: Route): Record<string, string[]>[] {
  const { permission, credential } = route;
  if (permission === 'public') return [];
  if (credential === 'token') return [{ apiToken: [scopeOf(route)].filter(scope => scope !== 'any') }];
  return permission === 'guest' ? [{}, { session: [] }] : [{ session: [] }];
}

function queryParameters({ query }: Route, of: Named) {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input', of);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function paths() {
  const found: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [section, routes] of Object.entries(sections) as [Section, RouteTable][]) {
    // What programs may call is documented for them: its path in the app is the same without v1.
    const twins = twinsOf(routes);
    for (const [ofApp, declared] of Object.entries(routes)) {
      const twin = twins[twinKeyOf(ofApp) as keyof RouteTable];
      const [key, route] = twin ? [twinKeyOf(ofApp), twin] : [ofApp, declared];
      const [verb = '', path = ''] = key.split(' ');
      const method = verb.toLowerCase();
      found[path] = { ...found[path], [method]: operation(section, method, path, route) };
    }
  }
  return found;
}

const problem = (description: string) => ({
  description,
  content: jsonBody(Problem, 'output', { id: 'problem', group: 'problem' }),
});

export const document = {
  openapi: '3.1.0' as const,
  info: {
    title: `${PRODUCT} API`,
    version: VERSION,
    description: Object.entries(API_TEXTS)
      .map(([title, text]) => `## ${title}\n\n${text}`)
      .join('\n\n'),
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
      Object.entries(REFUSAL_TEXTS).map(([status, description]) => [status, problem(description)]),
    ),
  },
};
