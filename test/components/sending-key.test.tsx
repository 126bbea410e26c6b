import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import type { Answer } from '#shared/routes.ts';
import { DOWN, held } from '../support/components/api.ts';
import { keyedList, list } from '../support/components/examples.ts';
import { answer, button, field, keys, press, pressInDialog, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const openForm = (of: EmailList) => open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': of });
const key = () => field('Sending key');

it('a connection is tested once, however often one clicks meanwhile', async () => {
  const { answer: tested, release } = held<Answer<'POST /api/email-lists/{list}/test-mailgun-connection'>>();
  const { api } = openForm(keyedList);
  api.answer({ 'POST /api/email-lists/{list}/test-mailgun-connection': tested });
  await press('Test connection');
  await button('Testing...').click({ force: true });
  await button('Testing...').click({ force: true });
  const testedAt = '2026-01-05T09:00:00Z';
  const status = { last_tested_at: testedAt, connection_valid: true };
  api.answer({ 'GET /api/email-lists/{list}': { ...keyedList, mailgun_connection_status: status } });
  release({ success: true, message: 'It works.', testedAt, connectionValid: true });
  await expect.element(page.getByText('Valid')).toBeVisible();
  expect(api.changes()).toHaveLength(1);
});

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

it('when the server does not answer, the page says what was not done with the key', async () => {
  const { api } = openForm(keyedList);
  api.answer({
    'POST /api/email-lists/{list}/test-mailgun-connection': DOWN,
    'PUT /api/email-lists/{list}/mailgun-key': DOWN,
  });
  await press('Test connection');
  await says('Failed to test connection. Please try again');
  await press('Remove key');
  await pressInDialog('Remove key');
  await says('Error removing Mailgun sending key');
  await answer('Cancel');
  await press('Replace key');
  await key().fill('key-0123456789abcdef');
  await press('Save key');
  await says('Failed to update Mailgun sending key');
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
