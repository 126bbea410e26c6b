import { expect, it } from 'vitest';
import { type RouteKey, routes } from '#shared/routes.ts';
import type { GetRoute } from '#web/lib/cache-key.ts';
import { INVALIDATES } from '#web/lib/invalidation.ts';

/** What says which emails are still to come, and why not. */
const PREDICTIONS: GetRoute[] = [
  'GET /api/upcoming',
  'GET /api/attention',
  'GET /api/forecast',
  'GET /api/automations/{automation}/forecast',
  'GET /api/automations/{automation}/simulate',
  'GET /api/broadcasts/{broadcast}/forecast',
  'GET /api/sequences/{sequence}/people',
  'GET /api/list-members/{listMember}/automations/{automation}',
];

it.each([
  'PUT /api/organizations/{organization}',
  'PUT /api/sending-hours',
  'PUT /api/safeguards',
  'PUT /api/email-lists/{list}',
  'PUT /api/email-lists/{list}/mailgun-key',
  'PUT /api/automations/{automation}',
  'PUT /api/automations/{automation}/content',
  'PUT /api/sequences/{sequence}',
  'PUT /api/broadcasts/{broadcast}',
  'PUT /api/email-templates/{emailTemplate}',
  'PUT /api/email-assets/{emailAsset}',
] as const)('after %s, all that is predicted is asked again', route => {
  expect(INVALIDATES[route]?.refetched).toEqual(expect.arrayContaining(PREDICTIONS));
});

it.each([
  ['DELETE /api/automations/{automation}', '/api/automations/{automation}'],
  ['DELETE /api/sequences/{sequence}', '/api/sequences/{sequence}'],
  ['DELETE /api/broadcasts/{broadcast}', '/api/broadcasts/{broadcast}'],
  ['DELETE /api/email-lists/{list}', '/api/email-lists/{list}'],
] as const)('after %s, the whole is asked again, and nothing that is gone', (route, path) => {
  const { refetched = [] } = INVALIDATES[route] ?? {};
  expect(refetched).toEqual(expect.arrayContaining(PREDICTIONS.slice(0, 3)));
  expect(refetched.filter(one => one === `GET ${path}` || one.startsWith(`GET ${path}/`))).toEqual([]);
});

it.each([
  'POST /api/list-members',
  'PUT /api/list-members/{listMember}',
  'POST /api/email-lists/{list}/members/actions',
  'POST /api/recipients/erase',
  'POST /api/email-lists/{list}/imports/{memberImport}/rows',
  'POST /api/email-lists/{list}/imports/{memberImport}/undo',
] as const)(
  'after %s, all that is said of members is asked again: what they get, did and have, and how many',
  route => {
    const { refetched = [], dropped = [] } = INVALIDATES[route] ?? {};
    expect(refetched).toEqual(
      expect.arrayContaining([
        PREDICTIONS.at(-1),
        'GET /api/email-lists/{list}',
        'GET /api/email-lists/{list}/datetime-metadata-columns',
        'GET /api/list-member-actions',
      ]),
    );
    expect([...refetched, ...dropped]).toContain('GET /api/email-lists/{list}/members');
  },
);

/** What no page has in the cache, or its page puts there itself. */
const NOT_CACHED = [
  'GET /api/email-lists/{list}/imports/{memberImport}',
  'GET /api/holdout',
  'GET /api/organizations',
  'GET /api/safeguards',
];

/** What is changed by a route, and the collection of it: of a list `/email-lists/{list}` and `/email-lists`. */
function changedBy(route: string): string[] {
  const [method, path = ''] = route.split(' ');
  const found: string[] = [];
  const isCollection = () => found.length > 0 && !found.at(-1)?.endsWith('}');
  for (let part = path; part !== '/api' && !isCollection(); part = part.slice(0, part.lastIndexOf('/'))) {
    if (`GET ${part}` in routes && !(method === 'DELETE' && part === path)) found.push(`GET ${part}`);
  }
  return found.filter(one => !NOT_CACHED.includes(one));
}

it.each(Object.keys(INVALIDATES) as RouteKey[])('after %s, what it has changed is asked again', route => {
  const { refetched = [], dropped = [] } = INVALIDATES[route] ?? {};
  expect([...refetched, ...dropped]).toEqual(expect.arrayContaining(changedBy(route)));
});
