import { expect, it } from 'vitest';
import { safeRedirect } from '#web/lib/session.ts';

const ORIGIN = 'https://letterflow.example';

it.each([
  ['/profile', '/profile'],
  ['/invitations/accept/abc', '/invitations/accept/abc'],
  ['/email-lists?page=2#top', '/email-lists?page=2#top'],
  ['/login-help', '/login-help'],
])('leads to %s after signing in', (redirect, path) => {
  expect(safeRedirect(redirect, ORIGIN)).toBe(ORIGIN + path);
});

it.each([
  null,
  '',
  'profile',
  '//evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '/\t/evil.test',
  '/\n\\evil.test',
  '///evil.test',
  'https://evil.test',
  'https:/evil.test',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,hello',
  '/login',
  '/login?redirect=/login',
  '/login.html',
  '/LOGIN/',
])('does not follow %j', redirect => {
  expect(safeRedirect(redirect, ORIGIN)).toBeUndefined();
});

it('never leaves the site, even where a path looks like another one', () => {
  for (const redirect of ['/.//evil.test', '/x/..//evil.test', '/%2F/evil.test', '/@evil.test']) {
    expect(new URL(safeRedirect(redirect, ORIGIN) ?? ORIGIN).origin).toBe(ORIGIN);
  }
});
