import { globSync, readFileSync } from 'node:fs';
import { matchRoutes } from 'react-router';
import { expect, it } from 'vitest';
import { isCurrent, navigation } from '#web/app/navigation.ts';
import { routes } from '#web/app/routes.tsx';
import { dialogPath, paths } from '#web/lib/paths.ts';

/** Separate HTML documents, outside of the app's routes. */
const DOCUMENTS = [paths.login(), paths.terms(), paths.privacy()];
const documentOf = (path: string) => path.split('?')[0] ?? '';
const routeOf = (path: string) => matchRoutes(routes, path)?.at(-1)?.route.path;

const addresses = Object.entries(paths).map(([name, path]): [string, string] => [name, path('a-b_1')]);

it.each(addresses)('the path of %s leads to a page', (_, path) => {
  if (!DOCUMENTS.includes(documentOf(path))) expect(routeOf(path)).not.toBe('*');
  else expect(readFileSync(`web${documentOf(path)}.html`, 'utf8')).toContain('<!doctype html>');
});

it('the path of an invitation carries its token, whatever is in it', () => {
  expect(routeOf(paths.invitation('a-b_1'))).toBe('/invitations/accept/:token');
  expect(paths.invitation('a/../b?c')).toBe('/invitations/accept/a%2F..%2Fb%3Fc');
});

it('the path of a list or a member carries its id, whatever is in it', () => {
  expect(routeOf(paths.editList('a-b_1'))).toBe('/email-lists/:list/edit');
  expect(paths.newListMember('a/$&?c')).toBe('/email-lists/a%2F%24%26%3Fc/members/new');
  expect(routeOf(paths.newList())).toBe('/email-lists/new');
});

it('signing in can redirect back', () => {
  expect(paths.login('/invitations/accept/a-b')).toBe('/login?redirect=/invitations/accept/a-b');
  expect(paths.login('/x?a=1&b=2')).toBe('/login?redirect=/x%3Fa%3D1%26b%3D2');
});

it('the path of a dialog is that of its page', () => {
  expect(dialogPath('token')).toBe('/profile?open=token');
  expect(dialogPath('invite')).toBe('/access-control?open=invite');
  expect(dialogPath('example', 'l1')).toBe('/email-lists/l1?open=example');
});

it('any other path leads to the page “not found”', () => {
  for (const path of ['/nothing', '/profile/x', '/app.html']) expect(routeOf(path)).toBe('*');
});

it('every entry of the navigation leads to a page', () => {
  for (const { path } of navigation) expect(routeOf(path)).toBe(path);
});

it.each([
  ['Home', [paths.home()]],
  ['Email Lists', [paths.lists(), paths.editList('l1'), paths.newListMember('l1'), paths.listMember('m1')]],
  ['Email Assets', [paths.emailAssets(), paths.newEmailAsset(), paths.newAssetSet(), paths.emailAsset('a1')]],
  ['Reporting', [paths.reporting(), paths.combination('c1')]],
  ['Email Templates', [paths.emailTemplates(), paths.editEmailTemplate('t1')]],
  [undefined, ['/email-lists-of-others']],
])('the entry %s alone is current on %j', (label, pages) => {
  for (const path of pages) {
    const current = navigation.filter(entry => isCurrent(entry, path));
    expect(current.map(entry => entry.label)).toEqual(label ? [label] : []);
  }
});

it('no component writes an address by hand', () => {
  for (const file of globSync('web/src/{app,components,entities,features}/**/*.{ts,tsx}')) {
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/(?:to|href|path)=?:?\s*[{(]?['"`]\/[a-z]/);
  }
});
