import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { DOWN, refusal } from '../support/components/api.ts';
import { assetDetail, automation } from '../support/components/examples.ts';
import { press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const preview = (plaintext: string) => ({
  html: '<p>Hello Ada</p>',
  plaintext,
  sender: { name: 'The shop', email: 'hello@example.com', list_name: 'Customers' },
  seed: 'a',
});
const CALL = `GET /api/automations/${automation.id}/preview`;

it('a preview is asked for again until there is one, and not after a refusal', async () => {
  const replies = [DOWN, preview(''), preview('Could not generate a preview')];
  const { api } = open('/email-assets/e1', {
    'GET /api/email-assets/{emailAsset}': {
      ...assetDetail,
      automations: [{ id: automation.id, name: automation.name }],
    },
    'GET /api/automations/{automation}/preview': () => replies.shift() ?? preview('Hello Ada'),
  });
  await press('Generate Email Preview for welcome');
  await says(/hello@example\.com/);
  expect(api.count(CALL)).toBe(4);
  api.answer({ 'GET /api/automations/{automation}/preview': refusal(404, '') });
  await press('Generate Random Preview');
  await says('Failed to generate email preview. Please make sure you have at least one active template.');
  expect(api.count(CALL)).toBe(5);
  await expect.element(page.getByRole('dialog')).toBeVisible();
});
