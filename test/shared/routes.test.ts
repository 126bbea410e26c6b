import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { document } from '../../functions/http/openapi.ts';
import { type Route, routes } from '../../shared/routes.ts';

const declared: [string, Route][] = Object.entries(routes);

describe('each declared route', () => {
  it.each(declared)('%s is served by a file of its group', (_, { group }) => {
    expect(existsSync(`functions/api/${group}.ts`)).toBe(true);
  });

  it.each(declared)('%s answers a body exactly where its status has one', (_, { status, answer }) => {
    expect(answer !== undefined).toBe(status !== 204);
  });

  it.each(declared)('%s takes a body only where its method has one', (key, { body }) => {
    if (body) expect(key).toMatch(/^(POST|PUT) /);
  });

  it.each(declared)('%s stands in the OpenAPI document', (key, { status, body, permission }) => {
    const [method = '', path = ''] = key.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()] as Record<string, unknown>;
    expect(operation.responses).toHaveProperty(String(status));
    expect('requestBody' in operation).toBe(body !== undefined);
    expect(operation.security).toEqual(
      permission === 'public' ? [] : expect.arrayContaining([expect.any(Object)]),
    );
  });
});

it('no two routes differ in the names of their path parameters alone', () => {
  const shapes = declared.map(([key]) => key.replace(/{\w+}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});
