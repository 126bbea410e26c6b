import { expect, it } from 'vitest';
import { belongsTo } from '../../web/src/lib/data.ts';
import { chooseOrganization } from '../../web/src/lib/organization.ts';

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

it('a switch deletes the cached responses of that organization alone', async () => {
  const { unstable_serialize } = await import('swr');
  const key = (organization: number) =>
    unstable_serialize(['org', organization, 'GET /api/x', { query: { page: 1 } }]);
  expect(belongsTo(key(1), 1)).toBe(true);
  expect(belongsTo(key(12), 1)).toBe(false);
  expect(belongsTo(unstable_serialize(['user', 'GET /api/user']), 1)).toBe(false);
});
