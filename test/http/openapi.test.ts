import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { document } from '#functions/http/openapi.ts';

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);
const schemes = Object.keys(document.components.securitySchemes);
const tags = document.tags.map(({ name }) => name);

it('the document is valid by the schema of OpenAPI 3.1', async () => {
  const plain = JSON.parse(JSON.stringify(document));
  expect(await new Validator().validate(plain)).toEqual({ valid: true });
});

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

describe('the document says of an operation', () => {
  const named = (id: string) => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    if (!found) throw new Error(`There is no operation ${id}`);
    return found.operation;
  };
  const refusalsOf = (id: string) => Object.keys(named(id).responses).filter(status => status >= '400');

  it.each([
    ['requestLoginCode', ['409', '413', '415', '422', '429', '431']],
    ['listOrganizations', ['401', '422', '429', '431']],
    ['deleteToken', ['401', '404', '409', '429', '431']],
    ['getEmailList', ['401', '403', '404', '422', '429', '431']],
    ['updateEmailList', ['401', '403', '404', '409', '413', '415', '422', '429', '431']],
  ])('%s why it may be refused', (id, refusals) => {
    expect(refusalsOf(id)).toEqual(refusals);
  });

  it('that a guest may call it without a session', () => {
    expect(named('validateInvitation').security).toEqual([{}, { session: [] }]);
  });

  it('which parameters it needs', () => {
    const required = (id: string) =>
      named(id).parameters.flatMap(one => ('name' in one ? [[one.name, one.required]] : []));
    expect(required('listListMemberActions')).toEqual([['list_member_id', true]]);
    expect(required('listListMembers')).toEqual([
      ['list', true],
      ['page', false],
      ['per_page', false],
      ['search', false],
      ['status', false],
      ['sort', false],
      ['direction', false],
      ['columns', false],
      ['audience', false],
      ['cursor', false],
    ]);
  });

  it.each([
    ['createListMember', '201'],
    ['updateListMember', '200'],
    ['upsertListMembers', '200'],
  ])('%s that its answer may have warnings', (id, status) => {
    expect(JSON.stringify(named(id).responses)).toContain('"warnings":{');
    expect(Object.keys(named(id).responses)).toContain(status);
    expect(JSON.stringify(named('getListMember').responses)).not.toContain('warnings');
  });
});
