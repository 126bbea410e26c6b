import { exampleOf, type Field, fieldOf, fieldsOf } from './fields.ts';
import { type Answered, type DeclaredParameter, type OpenApi, type Operation, resolved } from './openapi.ts';

export type Parameter = Field & { in: 'path' | 'query' | 'header'; example: unknown };

export type Call = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  rights: string;
  credential: 'token' | 'session' | 'none';
  /** Of the token, if it needs a certain one. */
  scope: string | undefined;
  parameters: Parameter[];
  body: { fields: Field[]; example: unknown } | undefined;
  answer: { status: string; text: string; fields: Field[]; example: unknown };
  refusals: { status: string; text: string }[];
};

export type CallGroup = { id: string; title: string; calls: Call[] };

/** The calls of the document by group and credential: first those that programs make, with a token. */
export function groupsOf(document: OpenApi): CallGroup[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: callOf(document, method, path, operation),
      tag: operation.tags[0],
    })),
  );
  return [true, false].flatMap(isOfPrograms =>
    document.tags.flatMap(({ name, description }): CallGroup[] => {
      const found = calls
        .filter(({ tag, call }) => tag === name && (call.credential === 'token') === isOfPrograms)
        .map(({ call }) => call);
      return found.length > 0
        ? [{ id: isOfPrograms ? name : `${name} of the app`, title: description, calls: found }]
        : [];
    }),
  );
}

/** Whether a group belongs to the public API: its calls take an API token. */
export const isPublic = ({ calls }: CallGroup) => calls.some(({ credential }) => credential === 'token');

function callOf(document: OpenApi, method: string, path: string, operation: Operation): Call {
  const { operationId: id, summary, description, requestBody, responses } = operation;
  const parameters = operation.parameters.map(part => parameterOf(resolved(document, part)));
  const answers = Object.entries(responses).map(([status, part]) => ({
    status,
    ...(resolved(document, part) as Answered),
  }));
  const [done] = answers.filter(({ status }) => status < '400');
  const body = requestBody?.content?.['application/json'].schema;
  const answer = done?.content?.['application/json'].schema;
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    rights: operation['x-rights'],
    credential: credentialOf(operation),
    scope: operation.security.flatMap(({ apiToken = [] }) => apiToken)[0],
    parameters,
    body: body && { fields: fieldsOf(body), example: exampleOf(body) },
    answer: {
      status: done?.status ?? '',
      text: done?.description ?? '',
      fields: answer ? fieldsOf(answer) : [],
      example: answer && exampleOf(answer, true),
    },
    refusals: answers
      .filter(({ status }) => status >= '400')
      .map(({ status, description }) => ({ status, text: description })),
  };
}

function credentialOf({ security }: Operation): Call['credential'] {
  if (security.some(one => 'apiToken' in one)) return 'token';
  return security.some(one => 'session' in one) ? 'session' : 'none';
}

function parameterOf(part: object): Parameter {
  const { name, in: place, required, description, schema } = part as DeclaredParameter;
  const field = fieldOf(name, schema, required);
  return {
    ...field,
    text: description ?? field.text,
    in: place as Parameter['in'],
    example: exampleOf(schema),
  };
}

export function findCalls(groups: CallGroup[], search: string): CallGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const isFound = ({ id, method, path, summary, parameters, body }: Call, title: string) => {
    const sent = [...parameters, ...(body?.fields ?? [])].map(({ name }) => name);
    const text = [id, method, path, summary, title, ...sent].join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  };
  return groups.flatMap(group => {
    const calls = group.calls.filter(call => isFound(call, group.title));
    return calls.length > 0 ? [{ ...group, calls }] : [];
  });
}
