import { expect, it } from 'vitest';
import { EXPIRATION_CHOICES, newTokenSchema } from '#web/features/token/new-token-dialog.tsx';

const read = (name: string, expiration = 'null') => newTokenSchema(['taken']).safeParse({ name, expiration });
const fault = (name: string) => read(name).error?.issues[0]?.message;

it('each option of the expiration is parsed as its days', () => {
  const days = EXPIRATION_CHOICES.map(({ value }) => read('crm', value).data?.expiration);
  expect(days).toEqual([null, 7, 30, 90, 365]);
  expect(EXPIRATION_CHOICES.map(({ label }) => label)).toEqual([
    'Never',
    '7 days',
    '30 days',
    '90 days',
    '1 year',
  ]);
});

it('a name follows the rules of the contract and is not taken', () => {
  expect(fault('')).toBe('Token name is required');
  expect(fault('a b')).toBe('Token name can only contain letters, numbers, and underscores');
  expect(fault('taken')).toBe('A token with this name already exists');
  expect(fault('Taken_2')).toBeUndefined();
});
