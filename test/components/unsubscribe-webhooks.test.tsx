import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Delivery, UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { type Answers, held } from '../support/components/api.ts';
import { delivery, list, webhook } from '../support/components/examples.ts';
import {
  answer,
  button,
  dialog,
  field,
  isGone,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const HOOKS = '/api/email-lists/{list}/unsubscribe-webhooks';
const PATH = '/api/email-lists/l1/unsubscribe-webhooks';

function openWith(first: UnsubscribeWebhook[], others: Answers = {}) {
  let stored = first;
  return open('/email-lists/l1?tab=unsubscribe-webhooks', {
    'GET /api/email-lists/{list}': list,
    [`GET ${HOOKS}`]: () => stored,
    [`POST ${HOOKS}`]: ({ body }: { body: { name: string; url: string; headers?: object } }) => {
      const { headers = {}, ...fields } = body;
      const parsed_headers = Object.fromEntries(Object.keys(headers).map(key => [key, 'Defined']));
      const created = { ...webhook, ...fields, parsed_headers } as UnsubscribeWebhook;
      stored = [...stored, created];
      return { ...created, secret: 'whsec_c2VjcmV0' };
    },
    [`PUT ${HOOKS}/{webhook}`]: ({ body }: { body: object }) => {
      stored = stored.map(one => ({ ...one, ...body }));
      return stored[0];
    },
    ...others,
  } as Answers);
}

it('a webhook is created with headers and events once nothing is wrong, and its secret is shown once', async () => {
  const { api } = openWith([]);
  await says('No webhooks yet');
  await press('Create webhook');
  await field('URL').fill('https://example.com/hooks');
  await page.getByRole('checkbox', { name: 'Bounced' }).click({ force: true });
  await press('Add header');
  await field('Header key').fill('Host');
  await field('Header value').fill('Bearer 7');
  await pressInDialog('Create');
  await warns('Name is required');
  await warns('The header Host cannot be set');
  await field('Name').fill('Shop');
  await field('Header key').fill('Authorization');
  await pressInDialog('Create');
  await says('whsec_c2VjcmV0');
  await expect.element(button('Copy')).toHaveFocus();
  await answer('Close');
  await expect.element(page.getByRole('row').filter({ hasText: 'https://example.com/hooks' })).toBeVisible();
  expect(api.changes()).toEqual([
    {
      call: `POST ${PATH}`,
      body: {
        name: 'Shop',
        url: 'https://example.com/hooks',
        headers: { Authorization: 'Bearer 7' },
        events: ['unsubscribed', 'bounced'],
      },
    },
  ]);
});

it('a stored value of a header stays where it is left empty, and a removed one goes', async () => {
  const stored = { ...webhook, parsed_headers: { Authorization: 'Defined', 'X-Old': 'Defined' } } as const;
  const { api } = openWith([stored]);
  await rowAction('Shop', 'Edit');
  await expect.element(page.getByPlaceholder('Unchanged').first()).toHaveValue('');
  await press('Remove header 2');
  await field('Name').fill('Store');
  await pressInDialog('Save');
  await says('Webhook saved.');
  await isGone(dialog());
  expect(api.changes()[0]?.body).toMatchObject({ name: 'Store', headers: { Authorization: 'Defined' } });
});

it('an Undo takes back a switch even before the table is fetched again', async () => {
  const { api } = openWith([webhook]);
  await expect.element(button('Actions for Shop')).toBeVisible();
  const { answer: fetched, release } = held<UnsubscribeWebhook[]>();
  api.answer({ [`GET ${HOOKS}`]: fetched });
  await rowAction('Shop', 'Deactivate');
  await says('Shop is inactive: it is told nothing.');
  await expect.element(page.getByText('Inactive', { exact: true })).toBeVisible();
  await press('Undo');
  await says('Shop is active.');
  release([webhook]);
  expect(api.changes().map(({ body }) => body)).toEqual([{ active: false }, { active: true }]);
});

it('a test of a webhook says what the endpoint answered', async () => {
  const { api } = openWith([webhook]);
  api.answer({
    [`POST ${HOOKS}/{webhook}/test`]: { success: true, message: 'The endpoint answered 200 in 12 ms' },
  });
  await rowAction('Shop', 'Send test');
  await says('Test of Shop: The endpoint answered 200 in 12 ms.');
  api.answer({
    [`POST ${HOOKS}/{webhook}/test`]: { success: false, message: 'The address cannot be reached' },
  });
  await rowAction('Shop', 'Send test');
  await warns('Test of Shop: The address cannot be reached.');
});

it('the secret of a webhook is replaced after a confirmation, and shown once', async () => {
  const { api } = openWith([webhook]);
  api.answer({ [`POST ${HOOKS}/{webhook}/secret`]: { ...webhook, secret: 'whsec_bmV3' } });
  await rowAction('Shop', 'Replace secret');
  await pressInDialog('Replace secret');
  await says('whsec_bmV3');
  await answer('Close');
});

it('deliveries of a webhook are shown, and one or all that failed are sent again', async () => {
  const failed: Delivery = {
    ...delivery,
    id: '1767603600001-000000000000000000000002',
    state: 'failed',
    attempt: 10,
    status_code: null,
    duration_ms: null,
    error: 'The address cannot be reached',
  };
  let all: Delivery[] = [failed, delivery];
  const { api } = openWith([webhook], {
    [`GET ${HOOKS}/{webhook}/deliveries`]: () => ({ deliveries: all, next_cursor: null }),
    [`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`]: () => {
      all = [{ ...failed, state: 'waiting' }, delivery];
      return all[0];
    },
    [`POST ${HOOKS}/{webhook}/redeliver`]: ({ body }: { body: { cursor?: string } }) =>
      body.cursor ? { redelivered: 1, next_cursor: null } : { redelivered: 2, next_cursor: failed.id },
  } as Answers);
  await rowAction('Shop', 'Deliveries');
  await says('The address cannot be reached');
  await says('204');
  await says('120 ms');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await menuItem('Redeliver').click();
  await says('It is delivered again in a moment.');
  await says('Waiting');
  await press('Redeliver failed');
  await says('3 deliveries are sent again.');
  expect(api.changes().map(({ call }) => call)).toEqual([
    `POST ${PATH}/w1/deliveries/${failed.id}/redeliver`,
    `POST ${PATH}/w1/redeliver`,
    `POST ${PATH}/w1/redeliver`,
  ]);
});

it('a webhook that is not told anything says why, and is not told again what failed', async () => {
  const at = '2026-01-05T09:00:00Z';
  const all = [
    { ...webhook, id: 'w1', name: 'One', failing_since: at },
    { ...webhook, id: 'w2', name: 'Two', active: false, switched_off: { at, because: 'gone' as const } },
    { ...webhook, id: 'w3', name: 'Three', active: false, switched_off: { at, because: 'failing' as const } },
  ];
  openWith(all, {
    [`GET ${HOOKS}/{webhook}/deliveries`]: { deliveries: [delivery], next_cursor: null },
  } as Answers);
  await says(/^Failing since/);
  await says('Deactivated: the endpoint is gone');
  await says('Deactivated: it failed for five days');
  // Nothing is delivered again to one that is off.
  await rowAction('Two', 'Deliveries');
  await says('204');
  expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Actions for|Redeliver/ })
      .elements(),
  ).toEqual([]);
});

it('a delivery is sent again while another one still is', async () => {
  const ids = ['1767603600001-000000000000000000000001', '1767603600002-000000000000000000000002'];
  const { answer: redelivered, release } = held<Delivery>();
  const { api } = openWith([webhook], {
    [`GET ${HOOKS}/{webhook}/deliveries`]: {
      deliveries: ids.map(id => ({ ...delivery, id })),
      next_cursor: null,
    },
    [`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`]: redelivered,
  } as Answers);
  await rowAction('Shop', 'Deliveries');
  const menus = page.getByRole('dialog').getByRole('button', { name: /^Actions for/ });
  await menus.first().click();
  await menuItem('Redeliver').click();
  await expect.element(menus.first()).toHaveAttribute('aria-busy', 'true');
  await menus.last().click();
  await menuItem('Redeliver').click();
  await expect
    .poll(() => api.changes().map(({ call }) => call))
    .toEqual(ids.map(id => `POST ${PATH}/w1/deliveries/${id}/redeliver`));
  release(delivery);
  await says('It is delivered again in a moment.');
});
