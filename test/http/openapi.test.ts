import { describe, expect, it } from 'vitest';
import { document } from '../../functions/http/openapi.ts';

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);
const schemes = Object.keys(document.components.securitySchemes);
const tags = document.tags.map(({ name }) => name);

it('every operation has an id of its own, which clients name their methods after', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
});

describe.each(operations)('$name', ({ path, operation }) => {
  it('names every parameter of its path', () => {
    const names = operation.parameters.flatMap(parameter =>
      'in' in parameter && parameter.in === 'path' ? [parameter.name] : [],
    );
    expect(names).toEqual([...path.matchAll(/{(\w+)}/g)].map(([, name]) => name));
  });

  it('declares its 4XX responses, each with the schema of a problem', () => {
    const refusals = Object.entries(operation.responses).filter(([status]) => status.startsWith('4'));
    expect(refusals.length).toBeGreaterThan(0);
    for (const [status, refusal] of refusals) {
      expect(refusal).toEqual({ $ref: `#/components/responses/${status}` });
      expect(document.components.responses[status]?.content['application/json'].schema).toMatchObject({
        properties: { message: { type: 'string' }, errors: { type: 'object' } },
        required: ['message'],
      });
    }
  });

  it('has a declared tag, and a declared security scheme unless it is public', () => {
    expect(operation.tags.every(tag => tags.includes(tag))).toBe(true);
    const isPublic = !('401' in operation.responses);
    expect(operation.security.length === 0).toBe(isPublic);
    for (const requirement of operation.security) {
      expect(schemes).toEqual(expect.arrayContaining(Object.keys(requirement)));
    }
  });
});

it('the routes of the public API take an API token, and no others do', () => {
  for (const { path, operation } of operations) {
    const takesToken = operation.security.some(requirement => 'apiToken' in requirement);
    expect([path, takesToken]).toEqual([path, path.startsWith('/api/v1/')]);
  }
});
