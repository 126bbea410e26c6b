import { expect, it } from 'vitest';
import { EXPIRATION_CHOICES, newTokenSchema } from '#web/features/token/new-token-dialog.tsx';

it('each option of the expiration is parsed as its days', () => {
  const schema = newTokenSchema([]);
  const parsed = EXPIRATION_CHOICES.map(({ value }) =>
    schema.parse({ name: 'crm', expiration: value, scopes: ['read'], max_people: null }),
  );
  const days = parsed.map(({ expiration }) => expiration);
  expect(days).toEqual([null, 7, 30, 90, 365]);
  const labels = EXPIRATION_CHOICES.map(({ label }) => label);
  expect(labels).toEqual(['Never', '7 days', '30 days', '90 days', '1 year']);
});
