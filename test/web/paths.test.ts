import { globSync, readFileSync } from 'node:fs';
import { matchRoutes } from 'react-router';
import { expect, it } from 'vitest';
import { isCurrent, navigation } from '../../web/src/app/navigation.ts';
import { routes } from '../../web/src/app/routes.tsx';
import { opening, paths } from '../../web/src/lib/paths.ts';

/** Documents of their own, outside of the app's routes. */
const DOCUMENTS = [paths.login(), paths.terms(), paths.privacy()];
const routeOf = (path: string) => matchRoutes(routes, path)?.at(-1)?.route.path;

const { invitation, ...fixed } = paths;
const addresses = Object.entries(fixed).map(([name, path]): [string, string] => [name, path()]);

it.each(addresses)('the path of %s leads to a page', (_, path) => {
  if (!DOCUMENTS.includes(path)) expect(routeOf(path)).not.toBe('*');
  else expect(readFileSync(`web${path}.html`, 'utf8')).toContain('<!doctype html>');
});

it('the path of an invitation carries its token, whatever is in it', () => {
  expect(routeOf(invitation('a-b_1'))).toBe('/invitations/accept/:token');
  expect(invitation('a/../b?c')).toBe('/invitations/accept/a%2F..%2Fb%3Fc');
});

it('signing in can lead back to where one was', () => {
  expect(paths.login('/invitations/accept/a-b')).toBe('/login?redirect=/invitations/accept/a-b');
  expect(paths.login('/x?a=1&b=2')).toBe('/login?redirect=/x%3Fa%3D1%26b%3D2');
});

it('a dialog is opened on the page that it belongs to', () => {
  expect(opening('token')).toBe('/profile?open=token');
  expect(opening('invite')).toBe('/access-control?open=invite');
});

it('any other path leads to the page that says so', () => {
  for (const path of ['/nothing', '/profile/x', '/app.html']) expect(routeOf(path)).toBe('*');
});

it('every entry of the navigation leads to a page', () => {
  for (const { path } of navigation) expect(routeOf(path)).toBe(path);
});

it('an entry is current on its own path, and below it where it matches by prefix', () => {
  const destination = (path: string, match: 'exact' | 'prefix') => {
    const [first] = navigation;
    if (!first) throw new Error('The navigation is empty.');
    return { ...first, path, match };
  };
  expect(isCurrent(destination('/email-lists', 'prefix'), '/email-lists/7/edit')).toBe(true);
  expect(isCurrent(destination('/email-lists', 'prefix'), '/email-lists-of-others')).toBe(false);
  expect(isCurrent(destination('/profile', 'exact'), '/profile')).toBe(true);
  expect(isCurrent(destination('/profile', 'exact'), '/profile/x')).toBe(false);
  expect(isCurrent(destination('/', 'exact'), '/profile')).toBe(false);
});

it('no component writes an address by hand', () => {
  for (const file of globSync('web/src/{app,components,features}/**/*.{ts,tsx}')) {
    if (file.startsWith('web/src/app/pieces/')) continue;
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/(?:to|href|path)=?:?\s*[{(]?['"`]\/[a-z]/);
  }
});
