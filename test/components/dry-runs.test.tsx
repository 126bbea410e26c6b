import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DryRun } from '#shared/dry-run.ts';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import { asset, assetDetail, automation, noEffect } from '../support/components/examples.ts';
import { dialog, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const effect = (people: number, more: Partial<DryRun> = {}): DryRun => ({
  ...noEffect,
  next_24_hours: { emails: people, people_more: people, people_fewer: 0 },
  next_7_days: { emails: people + 14, people_more: people + 14, people_fewer: 0 },
  first_at: new Date(Date.now() - 30_000).toISOString(),
  ...more,
});

const off = { ...automation, active: false };
const automations = {
  'GET /api/automations/{automation}': off,
  'GET /api/automations/{automation}/forecast': { days: [], total_count: 0, sampled: null, counted_share: 1 },
  'PUT /api/automations/{automation}': { ...off, active: true },
} satisfies Answers;

it('what is switched on is asked about where it sends, with for how many people and when', async () => {
  let active = false;
  const { api } = open('/automations/a1', {
    ...automations,
    'GET /api/automations/{automation}': () => ({ ...automation, active }),
    'PUT /api/automations/{automation}': () => {
      active = true;
      return { ...automation, active };
    },
    'PUT /api/automations/{automation}/dry-run': effect(61),
  });
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect.element(dialog().getByRole('heading')).toHaveTextContent('Send emails?');
  await says('61 people get an email within 24 hours who would not have, the first within a minute.');
  await says('In the next 7 days, 75 people get 75 more emails.');
  await says('Inactive');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByRole('button', { name: 'Activate', exact: true })).toBeEnabled();
  expect(api.changes()).toEqual([]);
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await dialog().getByRole('button', { name: 'Save and send' }).click();
  await expect.element(page.getByRole('button', { name: 'Deactivate' })).toBeVisible();
  expect(api.changes()).toMatchObject([{ body: { active: true } }]);
});

it('where it cannot be found out, it is asked all the same; what is refused, the call itself says', async () => {
  const { api } = open('/automations/a1', {
    ...automations,
    'PUT /api/automations/{automation}/dry-run': DOWN,
  });
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await says('What this would send could not be found out.');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  expect(api.changes()).toEqual([]);
  api.answer({
    'PUT /api/automations/{automation}/dry-run': refusal(422, 'No'),
    'PUT /api/automations/{automation}': refusal(422, 'At most 100 automations can be active'),
  });
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await says('At most 100 automations can be active');
});

it('limits that let fewer emails through are saved, and it is said for whom', async () => {
  open('/safeguards', {
    'GET /api/safeguards': { ...INITIAL_SAFEGUARDS, enabled: false },
    'PUT /api/safeguards': INITIAL_SAFEGUARDS,
    'PUT /api/safeguards/dry-run': {
      ...noEffect,
      next_7_days: { emails: -20, people_more: 0, people_fewer: 12 },
    },
  });
  await page.getByLabelText('Enable safeguards').click();
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await says('12 people get fewer emails in the next 7 days.');
});

it('a form stays as it is where its question is declined', async () => {
  const { api } = open('/safeguards', {
    'GET /api/safeguards': INITIAL_SAFEGUARDS,
    'PUT /api/safeguards/dry-run': effect(1, {
      first_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      next_24_hours: noEffect.next_24_hours,
      sampled: { people: 10_000, of: 45_210, margin: 120 },
      counted_share: 0.5,
    }),
  });
  await page.getByLabelText('Max emails in 5 minutes').fill('2');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await says('Nobody gets more emails within 24 hours.');
  await expect
    .element(page.getByText(/^In the next 7 days, 15 people get 15 more emails, the first on /))
    .toBeVisible();
  await says('Estimated from 10,000 of 45,210 members: it may be 120 emails more or less.');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByLabelText('Max emails in 5 minutes')).toHaveValue(2);
  expect(api.changes()).toEqual([]);
});

it('content is asked about with what is known of it', async () => {
  const asked: unknown[] = [];
  open(`/email-assets/${asset.id}`, {
    'GET /api/email-assets/{emailAsset}': { ...assetDetail, emailAsset: { ...asset, is_active: false } },
    'PUT /api/email-assets/{emailAsset}': { ...assetDetail, emailAsset: { ...asset, is_active: true } },
    'POST /api/content-links/dry-run': ({ body }) => {
      asked.push(body);
      return noEffect;
    },
  });
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect.poll(() => asked).toEqual([{ id: asset.id, is_active: true }]);
});
