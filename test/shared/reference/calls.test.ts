import { describe, expect, it } from 'vitest';
import { document } from '#functions/http/openapi.ts';
import { type Call, findCalls, groupsOf, isPublic } from '#shared/reference/calls.ts';
import { exampleOf, fieldsOf, saidOf } from '#shared/reference/fields.ts';
import type { OpenApi } from '#shared/reference/openapi.ts';
import type { Route } from '#shared/route.ts';
import { programRoutes, type RouteKey, routes } from '#shared/routes.ts';

const groups = groupsOf(document as unknown as OpenApi);
const calls = groups.flatMap(group => group.calls);
const all = { ...routes, ...programRoutes };
const routeOf = ({ method, path }: Call): Route => all[`${method} ${path}` as RouteKey];
const named = (id: string) => {
  const found = calls.find(call => call.id === id);
  if (!found) throw new Error(`There is no call ${id}`);
  return found;
};

it('every route is a call of the reference, those of programs first, with which the app’s are not repeated', () => {
  const ofApp = Object.entries<Route>(routes).flatMap(([key, { v1 }]) => (v1 ? [] : [key]));
  const keys = new Set([...ofApp, ...Object.keys(programRoutes)]);
  expect(calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...keys].sort());
  const [first, ...others] = groups.map(isPublic);
  expect(first).toBe(true);
  expect(others).toEqual(others.toSorted((a, b) => Number(b) - Number(a)));
});

describe('The examples and texts of shared/openapi-texts.ts', () => {
  it.each(calls.filter(call => call.body))('are a body that $id takes', call => {
    expect(routeOf(call).body?.safeParse(call.body?.example)).toMatchObject({ success: true });
  });

  it.each(calls.filter(call => call.answer.example !== undefined))('are an answer of $id', call => {
    expect(routeOf(call).answer?.safeParse(call.answer.example)).toMatchObject({ success: true });
  });

  const isOfProgramsAlone = (call: Call) => routeOf(call).credential === 'token' && !routeOf(call).v1;
  it.each(calls.filter(({ credential }) => credential === 'token'))('describe each field of $id', call => {
    const sent = [...call.parameters, ...(call.body?.fields ?? [])];
    // A text is about what is sent, where what is answered has the same name and another type.
    const isSent = ({ name }: { name: string }) => sent.some(one => one.name === name.replace(/^.*\./, ''));
    const fields = [...sent, ...call.answer.fields.filter(field => !isSent(field))];
    const silent = fields.filter(({ name, text }) => !text && !/\.\*$/.test(name));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('explain each call that programs alone make', () => {
    const silent = calls.filter(call => isOfProgramsAlone(call) && !call.description);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});

it('a call says what it takes, what it answers, who may call it and why it is refused', () => {
  expect(named('createToken')).toMatchObject({
    rights: 'Anyone who is signed in',
    credential: 'session',
    body: {
      fields: [
        {
          name: 'name',
          type: 'text',
          required: true,
          limits: ['1 to 64 characters', 'matches ^[A-Za-z0-9_]*$'],
        },
        { name: 'expiration', required: false, default: 'null', limits: ['null, 7, 30, 90, 365'] },
        { name: 'scopes', required: false },
        { name: 'max_people', required: false, default: 'null' },
      ],
    },
    answer: { status: '201', example: { token: 'lf_…' } },
  });
  expect(named('upsertListMembers').body?.fields.map(({ name, type }) => [name, type])).toEqual([
    ['members', 'array of objects'],
    ['members[].email', 'text'],
    ['members[].is_subscribed', 'boolean'],
    ['members[].*', 'text or number or boolean or null'],
  ]);
  expect(named('setSendingKey').rights).toBe('Members of the organization with the role OWNER or ADMIN');
  expect(named('deleteEmailList').answer).toEqual({
    status: '204',
    text: 'It was done; the body is empty.',
    fields: [],
    example: undefined,
  });
  for (const { text } of named('upsertListMembers').refusals) expect(text).toMatch(/\. .+\.$/);
});

it('a step of a sequence is described with all that it is answered with, but what follows from its content', () => {
  const { body, answer } = named('createSequence');
  const ofSteps = (fields: { name: string }[] = []) =>
    fields.map(({ name }) => name).filter(name => /^steps\[\]\.\w+$/.test(name));
  expect(ofSteps(answer.fields)).toEqual([...ofSteps(body?.fields), 'steps[].email_eligibility']);
});

it('the parameters of a query are numbers where they are read as numbers', () => {
  const { parameters } = named('listListMembers');
  expect(parameters.find(({ name }) => name === 'per_page')).toMatchObject({
    in: 'query',
    type: 'whole number',
    required: false,
    limits: ['1 to 100'],
    default: '10',
  });
});

it('a field says its limits and its default as sentences', () => {
  const schema = { type: 'string', maxLength: 1000, default: 'none', description: 'A note' };
  const [field] = fieldsOf({ properties: { note: schema } });
  expect(field && saidOf(field)).toBe('A note. At most 1,000 characters. Default: "none".');
});

it('an example is made of what a schema says', () => {
  const properties = {
    at: { type: 'string', format: 'date-time' },
    kind: { enum: ['a', 'b'] },
    many: { type: 'array', items: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 5 }] } },
    more: { type: 'boolean' },
  };
  expect(exampleOf({ properties, required: ['at', 'kind', 'many'] }, true)).toEqual({
    at: '2026-03-02T09:30:00Z',
    kind: 'a',
    many: [5],
  });
});

it.each([
  ['is_subscribed v1 100 update', ['upsertListMembers']],
  ['  POST v1/value ', ['postValue']],
  ['eventid', ['postValue']],
  ['nothing like it', []],
])('a search for “%s” finds the calls that have all its words', (search, found) => {
  expect(findCalls(groups, search).flatMap(group => group.calls.map(({ id }) => id))).toEqual(found);
});
