import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../support/components/api.ts';
import { list } from '../support/components/examples.ts';
import { field, press } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const one = { ...list, id: 'a00000000000' };

async function saveRefused(errors: Record<string, string[]>) {
  open('/automations/new', {
    'GET /api/email-lists': [one],
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    'POST /api/automations': refusal(422, 'Invalid', errors),
  });
  await field('Name').fill('welcome');
  await field('Customers example.com').click();
  await press('Save Automation');
}

it('an error at the lists describes them, and the focus goes to the first one', async () => {
  await saveRefused({ email_list_ids: ['One of the email lists does not exist any more'] });
  await expect
    .element(page.getByRole('group', { name: 'Email Lists' }))
    .toHaveAccessibleDescription('One of the email lists does not exist any more');
  await expect.element(field('Customers example.com')).toHaveFocus();
});

it('an error of a multiple send is said at its checkbox, where the focus goes', async () => {
  const message = 'Choose either a double or a triple send for the 2nd occurrence';
  await saveRefused({ double_send_second: [message] });
  const second = page.getByRole('group', { name: 'Double send (2 emails)' }).getByLabelText('2nd');
  await expect.element(second).toHaveAccessibleDescription(message);
  await expect.element(second).toHaveFocus();
});
