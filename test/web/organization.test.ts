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
  currency: null,
});

const [first, preferred, third] = [organization(1), organization(2, true), organization(3)];

it.each([
  ['the one chosen last', [first, preferred, third], '3', 3],
  ['the default if the user is no longer a member of the chosen one', [first, preferred], '3', 2],
  ['the default without a choice', [first, preferred], null, 2],
  ['the first one without a default', [first, third], null, 1],
  ['none without organizations', [], '1', undefined],
])('the active organization is %s', (_, all, chosen, active) => {
  expect(chooseOrganization(all, chosen)?.id).toBe(active);
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
  expect(asked).toEqual(['', '?after=100', '?after=200'].map(query => `/api/organizations${query}`));
  expect(loaded.map(({ id }) => id)).toEqual([151, ...all.map(({ id }) => id).filter(id => id !== 151)]);
});
