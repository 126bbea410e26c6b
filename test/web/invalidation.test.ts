import { expect, it } from 'vitest';
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
] as const)('after %s, why members get emails is asked again', route => {
  expect(INVALIDATES[route]?.refetched).toContain(PREDICTIONS.at(-1));
});
