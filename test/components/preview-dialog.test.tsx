import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { assetDetail, automation } from '../support/components/examples.ts';
import { field, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const preview = (plaintext: string) => ({
  html: '<p>Hello Ada</p>',
  plaintext,
  sender: { name: 'The shop', email: 'hello@example.com', list_name: 'Customers' },
  seed: 'a',
});

const one = {
  'GET /api/email-assets/{emailAsset}': {
    ...assetDetail,
    automations: [{ id: automation.id, name: automation.name }],
  },
  'GET /api/automations/{automation}/preview': preview('Hello Ada'),
};

it('a preview is for the member whom one finds by address, and a test email too', async () => {
  const ann = { id: 'l1-ann', email: 'ann@example.com', list_name: 'Customers' };
  const { api } = open('/email-assets/e1', {
    ...one,
    'GET /api/automations/{automation}/preview': ({ query }) =>
      preview(query.get('member') === ann.id ? 'Hello Ann' : 'Hello Ada'),
    'GET /api/automations/{automation}/preview-members': ({ query }) =>
      ann.email.startsWith(query.get('search') ?? '') ? [ann] : [],
    'POST /api/automations/{automation}/test-email': { sent_to: 'me@example.com' },
  });
  await press('Generate Email Preview for welcome');
  await says('Hello Ada');
  await field('Preview as').fill('bob');
  await says('No address on its lists begins with “bob”.');
  await field('Preview as').fill('an');
  await says('1 member found.');
  await keys('{Enter}');
  await says(/^As ann@example\.com on Customers$/);
  await says('Hello Ann');
  await press('Send test email to me');
  await expect.poll(() => api.changes().at(-1)?.body).toMatchObject({ member: ann.id });
  await press('As anybody');
  await says('Hello Ada');
});

it('a preview says how a phone lists the email, where its links lead, and how large it is', async () => {
  const html = '<p><a href="https://example.com/a?x=1">The shop</a> <a>Broken</a></p>';
  const subject = 'A subject that no phone shows to its end, since it says all that there is to say';
  open('/email-assets/e1', {
    ...one,
    'GET /api/automations/{automation}/preview': { ...preview(`${subject}\n\nThe snippet`), html },
  });
  await press('Generate Email Preview for welcome');
  const inbox = page.getByRole('dialog').getByRole('group', { name: 'In an inbox' });
  await expect.element(inbox).toHaveTextContent(`The shop <hello@example.com>${subject}The snippet`);
  expect(inbox.element().getBoundingClientRect().width).toBeLessThanOrEqual(390);
  expect(inbox.element().getBoundingClientRect().height).toBeLessThan(100);
  await expect.element(page.getByRole('dialog').getByText('Size: 0.2 KB')).toBeVisible();
  await page.getByRole('dialog').getByRole('tab', { name: 'Links' }).click();
  const links = () =>
    [...document.querySelectorAll('[role=dialog] ul[aria-label=Links] li')].map(li => li.textContent);
  await expect
    .poll(links)
    .toEqual([
      'The shophttps://example.com/a?x=1',
      'BrokenLeads nowhere: without a value, or with an address that is not safe.',
    ]);
});
