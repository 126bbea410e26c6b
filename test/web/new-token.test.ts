import { expect, it } from 'vitest';
import { EXPIRATION_CHOICES, newTokenSchema } from '#web/features/token/new-token-dialog.tsx';

const read = (name: string, expiration = 'null') => newTokenSchema(['taken']).safeParse({ name, expiration });

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
