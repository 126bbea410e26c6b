import { beforeAll, describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '#lib/security-headers.ts';
import type { Route } from '#shared/route.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import { dataUrl, PNG } from '../support/images.ts';
import { PROVE } from '../support/prove.ts';
import { sharedStack } from '../support/stack.ts';
import { type Belongings, credentialFor, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = sharedStack();
// One route, as all functions serve in the same way; in a proof, each one.
const keys = PROVE ? (Object.keys(routes) as RouteKey[]) : (['GET /api/user'] as const);

let caller: Belongings;
beforeAll(async () => {
  caller = await newBelongings(stack);
});

const SAFE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
};

function expectSafe(headers: Headers) {
  expect(Object.fromEntries(headers)).toMatchObject(SAFE);
  // No other origin may read an answer, and nothing is kept in a cookie.
  const names = [...headers.keys()];
  expect(names.filter(name => /^(access-control-|set-cookie|server$|x-powered-by)/.test(name))).toEqual([]);
}

describe.each(keys)('%s', key => {
  it('answers and refuses with the headers that keep an answer private', async () => {
    const isRead = key.startsWith('GET ');
    const good = await stack.call(key, {
      token: isRead ? credentialFor(key, caller) : 'unknown',
      organization: caller.owner.home.id,
      headers: { origin: 'https://evil.test' },
      ...VALID[key](caller.ids),
    });
    const { permission }: Route = routes[key];
    const refused = permission === 'public' ? 422 : 401;
    expect([isRead ? 200 : refused, 200], good.text).toContain(good.status);
    expectSafe(good.headers);
    if (good.text) expect(good.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe.each(['OPTIONS', 'HEAD', 'PATCH', 'PROPFIND'])('%s', method => {
  it('is a method of no route, and tells another origin nothing', async () => {
    const { status, headers } = await fetch(new URL('/api/email-lists', stack.url()), {
      method,
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
    });
    expect([403, 404, 405]).toContain(status);
    expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
  });
});

it('a logo is served to anyone, and runs nothing', async () => {
  const { body } = await stack.call('PUT /api/organizations/{organization}/logo', {
    token: caller.owner.token,
    params: { organization: caller.ids.organization },
    body: { logo: dataUrl(PNG) },
  });
  const { status, headers } = await stack.get(body.logo);
  expect([status, Object.fromEntries(headers)]).toMatchObject([
    200,
    {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    },
  ]);
});

it.each([
  '/api/email-lists/../user',
  '/api//user',
  '/api/email-lists/%2e%2e%2fuser',
  '/api/email-lists/%00',
  '/api/email-lists/%ff',
  `/api/email-lists/${'x'.repeat(3_000)}`,
  '/api/email-lists/%7B%7D/members',
  '/api/organizations/1e3/members',
  '/api/organizations/-1/members',
  '/api/organizations/%D9%A1/members',
  '/api/unknown',
])('the path %s finds nothing that is not its caller’s', async path => {
  const { status, text, body } = await stack.fetchJson('GET', path, {
    headers: { authorization: `Bearer ${caller.owner.token}` },
  });
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body.message).toEqual(expect.any(String));
  expect(text.length).toBeLessThan(1_000);
});
