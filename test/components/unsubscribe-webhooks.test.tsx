import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Delivery, UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
import { EVENT_NAMES } from '#web/entities/webhook/webhook.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { delivery, list, organization, webhook } from '../support/components/examples.ts';
import {
  answer,
  button,
  checkbox,
  dialog,
  field,
  isGone,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const HOOKS = '/api/email-lists/{list}/unsubscribe-webhooks';
const PATH = '/api/email-lists/l1/unsubscribe-webhooks';

function openWith(first: UnsubscribeWebhook[], others: Answers = {}) {
  let stored = first;
  const created = ({ body }: { body: { name: string; url: string; headers?: object } }) => {
    const { headers = {}, ...fields } = body;
    const parsed_headers = Object.fromEntries(Object.keys(headers).map(key => [key, 'Defined']));
    const one = { ...webhook, ...fields, parsed_headers } as UnsubscribeWebhook;
    stored = [...stored, one];
    return { ...one, secret: 'whsec_c2VjcmV0' };
  };
  const opened = open('/email-lists/l1?tab=unsubscribe-webhooks', {
    'GET /api/email-lists/{list}': list,
    [`GET ${HOOKS}`]: () => stored,
    [`POST ${HOOKS}`]: created,
    [`PUT ${HOOKS}/{webhook}`]: ({ body }: { body: object }) => {
      stored = stored.map(one => ({ ...one, ...body }));
      return stored[0];
    },
    ...others,
  } as Answers);
  return { ...opened, created };
}

it('a webhook is created with headers and events once nothing is wrong, and its secret is shown once', async () => {
  const { api, created } = openWith([]);
  await says('No webhooks yet');
  await press('Create webhook');
  await field('URL').fill('https://example.com/hooks');
  for (const event of WEBHOOK_EVENTS) await shows(checkbox(EVENT_NAMES[event]));
  await checkbox('Unsubscribed').click({ force: true });
  await press('Add header');
  await field('Header key').fill('Host');
  await field('Header value').fill('Bearer 7');
  await pressInDialog('Create');
  await warns('Name is required');
  await warns('The header Host cannot be set');
  await warns('Choose at least one event');
  await field('Name').fill('Shop');
  await checkbox('Complained').click({ force: true });
  await checkbox('Bounced').click({ force: true });
  await field('Header key').fill(' Authorization ');
  await press('Add header');
  await field('Header key').nth(1).fill('authorization');
  await pressInDialog('Create');
  await expect.element(field('Header value').nth(1)).toHaveAccessibleErrorMessage('Header value is required');
  await field('Header value').nth(1).fill('Bearer 8');
  await pressInDialog('Create');
  await expect.element(field('Header key').nth(1)).toHaveAccessibleErrorMessage('This header is there twice');
  await press('Remove header 2');
  api.answer({ [`POST ${HOOKS}`]: DOWN });
  await pressInDialog('Create');
  await shows(dialog().getByText('Failed to save webhook'));
  api.answer({ [`POST ${HOOKS}`]: created });
  await pressInDialog('Create');
  await says('whsec_c2VjcmV0');
  await expect.element(button('Copy')).toHaveFocus();
  await answer('Close');
  await expect.element(page.getByRole('row').filter({ hasText: 'https://example.com/hooks' })).toBeVisible();
  const body = {
    name: 'Shop',
    url: 'https://example.com/hooks',
    headers: { Authorization: 'Bearer 7' },
    events: ['bounced', 'complained'],
  };
  expect(api.changes()).toEqual(Array(2).fill({ call: `POST ${PATH}`, body }));
});

it('a stored value of a header stays where it is left empty, and a removed one goes', async () => {
  const { api } = openWith([
    {
      ...webhook,
      parsed_headers: { Authorization: 'Defined', 'X-Old': 'Defined', 'X-Named': 'Defined' },
      events: ['bounced'],
    },
  ]);
  await rowAction('Shop', 'Edit');
  await expect.element(page.getByPlaceholder('Unchanged').first()).toHaveValue('');
  await press('Remove header 2');
  await field('Name').fill('Store');
  // The value that is stored belongs to the other key.
  await field('Header key').nth(1).fill('X-Renamed');
  await expect.element(page.getByPlaceholder('Unchanged')).toBeVisible();
  await pressInDialog('Save');
  await warns('Header value is required');
  await field('Header value').nth(1).fill('7');
  await pressInDialog('Save');
  await says('Webhook saved.');
  await isGone(dialog());
  const body = {
    name: 'Store',
    url: webhook.url,
    headers: { Authorization: 'Defined', 'X-Renamed': '7' },
    events: ['bounced'],
  };
  expect(api.changes()).toEqual([{ call: `PUT ${PATH}/w1`, body }]);
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

proof('a test of a webhook says what the endpoint answered', async () => {
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
  const { answer: waiting, release } = held<Response>();
  api.answer({ [`POST ${HOOKS}/{webhook}/test`]: waiting } as Answers);
  await rowAction('Shop', 'Send test');
  await says('Testing Shop...');
  await expect.element(button('Actions for Shop')).toHaveAttribute('aria-busy', 'true');
  release(DOWN);
  await warns('Failed to test webhook');
  await expect.element(button('Actions for Shop')).toHaveAttribute('aria-busy', 'false');
});

proof('a webhook is deleted after a question that says what is gone', async () => {
  const { api } = openWith([webhook], { [`DELETE ${HOOKS}/{webhook}`]: DOWN } as Answers);
  await says('1 webhook');
  await says('Never');
  await rowAction('Shop', 'Delete');
  await shows(dialog().getByText(/^Its endpoint is told nothing more, and what waits to be delivered is/));
  await pressInDialog('Delete webhook');
  await shows(dialog().getByText('Failed to delete webhook'));
  api.answer({ [`DELETE ${HOOKS}/{webhook}`]: undefined, [`GET ${HOOKS}`]: [] });
  await answer('Delete webhook');
  await says('Shop was deleted.');
  await says('No webhooks yet');
  expect(api.changes().at(-1)?.call).toBe(`DELETE ${PATH}/w1`);
});

it('a user sees the webhooks and their deliveries, and whom to ask for one', async () => {
  const { api, router } = openWith([webhook], {
    'GET /api/organizations': [{ ...organization, role: 'USER' }],
    [`GET ${HOOKS}/{webhook}/deliveries`]: DOWN,
  } as Answers);
  await press('Actions for Shop');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Deliveries']);
  expect(button('Create webhook').query()).toBeNull();
  await menuItem('Deliveries').click();
  await shows(dialog().getByText('Failed to load deliveries'));
  const deliveries = { deliveries: [delivery], next_cursor: null };
  api.answer({ [`GET ${HOOKS}/{webhook}/deliveries`]: deliveries } as Answers);
  await pressInDialog('Try again');
  await says('1 delivery');
  expect(
    dialog()
      .getByRole('button', { name: /^Actions for|Redeliver/ })
      .elements(),
  ).toEqual([]);
  await pressInDialog('Close');
  api.answer({ [`GET ${HOOKS}`]: [] });
  await reload(router);
  await says('To create one, please contact an admin or owner.');
});

proof('the secret of a webhook is replaced after a confirmation, and shown once', async () => {
  const { api } = openWith([webhook], { [`POST ${HOOKS}/{webhook}/secret`]: DOWN } as Answers);
  await rowAction('Shop', 'Replace secret');
  await shows(dialog().getByText(/^For 24 hours, requests are signed with both/));
  await pressInDialog('Replace secret');
  await shows(dialog().getByText('Failed to replace the secret'));
  api.answer({ [`POST ${HOOKS}/{webhook}/secret`]: { ...webhook, secret: 'whsec_bmV3' } });
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
  const asked: { from: string; to: string; cursor?: string }[] = [];
  const { api } = openWith([webhook], {
    [`GET ${HOOKS}/{webhook}/deliveries`]: () => ({ deliveries: all, next_cursor: null }),
    [`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`]: () => {
      all = [{ ...failed, state: 'waiting', next_attempt_at: '2026-01-05T10:00:00Z' }, delivery];
      return all[0];
    },
    [`POST ${HOOKS}/{webhook}/redeliver`]: ({ body }: { body: (typeof asked)[number] }) => {
      asked.push(body);
      return body.cursor ? { redelivered: 1, next_cursor: null } : { redelivered: 2, next_cursor: failed.id };
    },
  } as Answers);
  await rowAction('Shop', 'Deliveries');
  await says('2 deliveries');
  await expect
    .poll(() => textsOf('[aria-label=Deliveries] tbody tr').map(text => text?.replace(/^.*[AP]M/, '')))
    .toEqual(['FailedThe address cannot be reachedUnsubscribed10–', 'Delivered204Unsubscribed1120 ms']);
  await says('204');
  await says('120 ms');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await menuItem('Redeliver').click();
  await says('It is delivered again in a moment.');
  await says('Waiting');
  await says(`next try ${formatMoment('2026-01-05T10:00:00Z')}`);
  await press('Redeliver failed');
  await says('3 deliveries are sent again.');
  const hoursOf = (all: typeof asked) =>
    all.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 3_600_000);
  expect(hoursOf(asked)).toEqual([24, 24]);
  expect(asked[1]).toEqual({ ...asked[0], cursor: failed.id });
  for (const [span, redelivered, text] of [
    ['of the last hour', 1, '1 delivery is sent again.'],
    ['of the last 7 days', 0, 'Nothing has failed in that time.'],
  ] as const) {
    api.answer({
      [`POST ${HOOKS}/{webhook}/redeliver`]: ({ body }: { body: (typeof asked)[number] }) => {
        asked.push(body);
        return { redelivered, next_cursor: null };
      },
    } as Answers);
    await field('Failed deliveries of which time').selectOptions(span);
    await press('Redeliver failed');
    await says(text);
  }
  expect(hoursOf(asked.slice(2))).toEqual([1, 7 * 24]);
  api.answer({
    [`POST ${HOOKS}/{webhook}/redeliver`]: DOWN,
    [`POST ${HOOKS}/{webhook}/deliveries/{delivery}/redeliver`]: refusal(409, 'It is waiting already.'),
  } as Answers);
  await press('Redeliver failed');
  await says('Failed to deliver again');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await menuItem('Redeliver').click();
  await says('It is waiting already.');
  const one = `POST ${PATH}/w1/deliveries/${failed.id}/redeliver`;
  const many = `POST ${PATH}/w1/redeliver`;
  expect(api.changes().map(({ call }) => call)).toEqual([one, many, many, many, many, many, one]);
});

proof('the deliveries of a webhook are paged from the newest to older ones and back', async () => {
  openWith([webhook], {
    [`GET ${HOOKS}/{webhook}/deliveries`]: ({ query }: { query: URLSearchParams }) => {
      const page = Number(query.get('cursor') ?? 1);
      const deliveries = [{ ...delivery, status_code: 200 + page }];
      return { deliveries, next_cursor: page < 3 ? `${page + 1}` : null };
    },
  } as Answers);
  await rowAction('Shop', 'Deliveries');
  for (const [press, code] of [
    [undefined, '201'],
    ['Older', '202'],
    ['Older', '203'],
    ['Newer', '202'],
    ['Newer', '201'],
  ] as const) {
    if (press) await pressInDialog(press);
    await shows(dialog().getByText(code, { exact: true }));
    const isEnabled = (name: string) => expect.element(dialog().getByRole('button', { name }));
    await (code === '201' ? isEnabled('Newer').toBeDisabled() : isEnabled('Newer').toBeEnabled());
    await (code === '203' ? isEnabled('Older').toBeDisabled() : isEnabled('Older').toBeEnabled());
    // Nobody knows how many there are.
    await isGone(dialog().getByText('1 delivery'));
  }
});

proof('a webhook that is not told anything says why, and is not told again what failed', async () => {
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

proof('a delivery is sent again while another one still is', async () => {
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
