import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { INITIAL_SAFEGUARDS } from '../../shared/safeguards.ts';
import { DOWN } from '../support/components/api.ts';
import { field, press, says, warns } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

it('safeguards that are not saved are kept as typed, and asked about', async () => {
  open('/safeguards', { 'GET /api/safeguards': INITIAL_SAFEGUARDS, 'PUT /api/safeguards': DOWN });
  await field('Max emails in 1 hour').fill('9');
  await press('Save Settings');
  await warns('Failed to save settings');
  await expect.element(field('Max emails in 1 hour')).toHaveValue(9);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

it('safeguards that could not be loaded are loaded after a retry', async () => {
  const { api } = open('/safeguards', { 'GET /api/safeguards': DOWN });
  await warns('Failed to load safeguard settings');
  api.answer({ 'GET /api/safeguards': INITIAL_SAFEGUARDS });
  await press('Try again');
  for (const [window, limit] of [
    ['5 minutes', 1],
    ['1 hour', 2],
    ['24 hours', 3],
    ['1 week', 7],
  ] as const) {
    await expect.element(field(`Max emails in ${window}`)).toHaveValue(limit);
  }
});

it('a limit that a longer window makes ineffective says which one rules', async () => {
  open('/safeguards', { 'GET /api/safeguards': INITIAL_SAFEGUARDS });
  await field('Max emails in 5 minutes').fill('5');
  await expect
    .element(field('Max emails in 5 minutes'))
    .toHaveAccessibleDescription('Without effect: at most 2 in 1 hour.');
  await field('Max emails in 1 hour').fill('9');
  await expect
    .element(field('Max emails in 1 hour'))
    .toHaveAccessibleDescription('Without effect: at most 3 in 24 hours.');
});

it('that settings were saved is said until the next change', async () => {
  open('/safeguards', {
    'GET /api/safeguards': INITIAL_SAFEGUARDS,
    'PUT /api/safeguards': INITIAL_SAFEGUARDS,
  });
  await press('Save Settings');
  await says('Settings saved successfully!');
  await field('Max emails in 1 hour').fill('9');
  expect(page.getByText('Settings saved successfully!').elements()).toEqual([]);
});
