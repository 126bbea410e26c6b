import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import { DOWN } from '../support/components/api.ts';
import { keyedList, list } from '../support/components/examples.ts';
import { answer, button, field, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const openForm = (of: EmailList) => open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': of });
const key = () => field('Sending key');

it('a test without a verdict of the provider says that it failed, and why', async () => {
  const { api } = openForm(keyedList);
  api.answer({
    'POST /api/email-lists/{list}/test-mailgun-connection': {
      success: false,
      message: 'Mailgun could not be reached.',
      testedAt: null,
      connectionValid: null,
    },
  });
  await press('Test connection');
  await says('Connection test failed. Mailgun could not be reached.');
  await says('Not Tested');
});

it('the focus follows the form of a sending key and what takes its place', async () => {
  let stored: EmailList = list;
  const { api } = openForm(list);
  api.answer({
    'GET /api/email-lists/{list}': () => stored,
    'POST /api/email-lists/{list}/test-mailgun-connection': DOWN,
    'PUT /api/email-lists/{list}/mailgun-key': ({ body }) => {
      stored = body.mailgun_sending_key ? keyedList : list;
      return { success: true, hasKey: stored === keyedList };
    },
  });
  await key().fill('key-0123456789abcdef');
  await keys('{Enter}');
  await expect.element(button('Test connection')).toHaveFocus();
  await press('Replace key');
  await expect.element(key()).toHaveFocus();
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await expect.element(button('Test connection')).toHaveFocus();
  await press('Remove key');
  await answer('Remove key');
  await expect.element(key()).toHaveFocus();
  await says('Sending key removed.');
});

it('a key that is saved is tested at once, and the result stands in its place', async () => {
  let stored: EmailList = list;
  const { api } = openForm(list);
  api.answer({
    'GET /api/email-lists/{list}': () => stored,
    'PUT /api/email-lists/{list}/mailgun-key': () => {
      stored = { ...keyedList, mailgun_region: 'eu' };
      return { success: true, hasKey: true };
    },
    'POST /api/email-lists/{list}/test-mailgun-connection': () => {
      const status = { last_tested_at: '2026-01-05T09:00:00Z', connection_valid: false };
      stored = { ...stored, mailgun_connection_status: status };
      return {
        success: true,
        message: 'Mailgun refuses this key.',
        testedAt: status.last_tested_at,
        connectionValid: false,
      };
    },
  });
  await field('Region').selectOptions('EU');
  await key().fill('key-0123456789abcdef');
  await press('Save key');
  await says('Mailgun refuses this key.');
  await says('Invalid');
  expect(
    page
      .getByRole('region', { name: /Notifications/ })
      .getByText(/key/i)
      .elements(),
  ).toEqual([]);
  expect(api.changes().map(({ call }) => call)).toEqual([
    'PUT /api/email-lists/l1/mailgun-key',
    'POST /api/email-lists/l1/test-mailgun-connection',
  ]);
});

it('Save saves the settings of a list, and a key that was typed beside them', async () => {
  const { api } = openForm(list);
  api.answer({ 'PUT /api/email-lists/{list}/mailgun-key': DOWN, 'PUT /api/email-lists/{list}': list });
  await key().fill('key-0123456789abcdef');
  await press('Save');
  await says('Failed to update Mailgun sending key');
  expect(api.changes().map(({ call }) => call)).toEqual(['PUT /api/email-lists/l1/mailgun-key']);
  expect(page.getByText('Nothing has changed.').elements()).toEqual([]);
  await field('Name').fill('Readers');
  await press('Save');
  await says('List saved.');
  await expect.poll(() => api.changes()).toHaveLength(3);
});
