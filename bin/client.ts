// npm run client: writes client/operations.ts, what each call of the API takes and answers, from its OpenAPI document.
import { writeFileSync } from 'node:fs';
import { document } from '#functions/http/openapi.ts';
import type { DeclaredParameter, OpenApi, Operation, Schema } from '#shared/reference/openapi.ts';

const literal = (value: unknown) => JSON.stringify(value);
const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name));
const union = (types: string[]) => [...new Set(types)].join(' | ') || 'never';

/** A caller may pass arrays that are read-only. */
function typeOf(schema: Schema, array: 'Array' | 'ReadonlyArray'): string {
  const inner = (part: Schema) => typeOf(part, array);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (schema.anyOf) return union(schema.anyOf.map(inner));
  if (Array.isArray(schema.type)) return union(schema.type.map(type => inner({ ...schema, type })));
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `${array}<${schema.items ? inner(schema.items) : 'unknown'}>`;
    case 'object':
      return objectOf(schema, inner);
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  inner: (part: Schema) => string,
): string {
  const fields = Object.entries(properties).map(
    ([name, part]) =>
      `${commentOf(part)}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${inner(part)};`,
  );
  const others = typeof additionalProperties === 'object' ? inner(additionalProperties) : 'unknown';
  // Fields that are declared have to fit among the others.
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen) fields.push(`[name: string]: ${fields.length > 0 ? 'unknown' : others};`);
  return `{ ${fields.join(' ')} }`;
}

const commentOf = ({ description }: Schema) =>
  description ? `/** ${description.replaceAll('*/', '*\\/')} */ ` : '';

const RESERVED = ['body', 'idempotencyKey', 'signal'];

function inputOf({ operationId, parameters, requestBody }: Operation): string {
  const fields = parameters
    .filter((part): part is DeclaredParameter => !('$ref' in part))
    .map(({ name, required, schema }) => {
      if (RESERVED.includes(name))
        throw new Error(`${operationId} has a parameter ${name}, which has another meaning.`);
      return `${commentOf(schema)}${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema, 'ReadonlyArray')};`;
    });
  const body = requestBody?.content?.['application/json'];
  if (body) fields.push(`body: ${typeOf(body.schema, 'ReadonlyArray')};`);
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : 'object';
}

function answerOf({ responses }: Operation): string {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schema = success && 'content' in success[1] && success[1].content?.['application/json'].schema;
  return schema ? typeOf(schema, 'Array') : 'undefined';
}

/** The module, with a line for each call. */
export function operationsModule(): string {
  const operations = Object.entries((document as unknown as OpenApi).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some(({ apiToken }) => apiToken))
      .map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
  operations.sort((a, b) => a.operation.operationId.localeCompare(b.operation.operationId));
  const types = operations.map(
    ({ operation }) =>
      `  /** ${operation.summary} */ ${operation.operationId}: { input: ${inputOf(operation)}; answer: ${answerOf(operation)} };`,
  );
  const table = operations.map(({ route, operation }) => `  ${operation.operationId}: '${route}',`);
  return [
    '// Written by bin/client.ts from the OpenAPI document.',
    `export interface Operations {\n${types.join('\n')}\n}`,
    `export const OPERATIONS: Record<keyof Operations, string> = {\n${table.join('\n')}\n};\n`,
  ].join('\n\n');
}

if (import.meta.main) writeFileSync(new URL('../client/operations.ts', import.meta.url), operationsModule());
