import { afterEach, expect, it, vi } from 'vitest';
import { loadOrganizations } from '#web/features/organization/use-organizations.ts';
import { chooseOrganization } from '#web/lib/organization.ts';
import { browserGlobals } from './browser-globals.ts';

afterEach(() => vi.unstubAllGlobals());

const organization = (id: number, is_default = false) => ({
  id,
  name: `Organization ${id}`,
  logo: null,
  active: true,
  is_default,
  role: 'USER' as const,
});

it('the organization chosen last becomes active again', () => {
  expect(chooseOrganization([organization(1), organization(2, true), organization(3)], '3')?.id).toBe(3);
});

it('if the user is no longer its member, the default becomes active', () => {
  expect(chooseOrganization([organization(1), organization(2, true)], '3')?.id).toBe(2);
});

it('without a choice the default is active, and without a default the first', () => {
  expect(chooseOrganization([organization(1), organization(2, true)], null)?.id).toBe(2);
  expect(chooseOrganization([organization(1), organization(2)], null)?.id).toBe(1);
});

it('without organizations none is active', () => {
  expect(chooseOrganization([], '1')).toBeUndefined();
});

it('all organizations are loaded, however many pages they fill', async () => {
  browserGlobals({ token: 'secret' });
  const all = Array.from({ length: 205 }, (_, index) => organization(index + 1, index === 150));
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const after = Number(/after=(\d+)/.exec(url)?.[1] ?? 0);
    return Response.json(all.slice(after, after + 100).reverse());
  });
  const loaded = await loadOrganizations();
  expect(asked).toEqual([
    '/api/organizations',
    '/api/organizations?after=100',
    '/api/organizations?after=200',
  ]);
  expect(loaded.map(({ id }) => id)).toEqual([151, ...all.map(({ id }) => id).filter(id => id !== 151)]);
});
