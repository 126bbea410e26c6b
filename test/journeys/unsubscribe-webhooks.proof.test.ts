import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, rowAction, says } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';
import { type Got, newEndpoint, verified } from '../support/webhooks.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('a webhook is created and tested, and its endpoint gets the next unsubscribe, signed', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  const email = newAddress('reader');
  const { body: member } = await stack.call('POST /api/list-members', {
    ...as,
    body: { email_list_id: list, email },
  });
  let status = 204;
  const { url, got } = await newEndpoint(() => ({ status }));

  const page = await visit(`/email-lists/${list}`, owner);
  await page.getByRole('tab', { name: 'Unsubscribe webhooks' }).click();
  await press(page, 'Create webhook');
  await page.getByLabel('Name').fill('Shop');
  await page.getByLabel('URL').fill(url);
  await press(page, 'Add header');
  await page.getByLabel('Header key').fill('Authorization');
  await page.getByLabel('Header value').fill('Bearer tiger');
  await press(page, 'Create');
  const secret = (await page.locator('[data-secret]').textContent()) ?? '';
  stack.mustNotBeLogged(secret);
  await answer(page, 'Close');
  await rowAction(page, 'Shop', 'Send test');
  await page.getByText(/^Test of Shop: The endpoint answered 204/).waitFor();
  expect(got).toHaveLength(1);

  await stack.call('PUT /api/list-members/{listMember}', {
    ...as,
    params: { listMember: member.id },
    body: { is_subscribed: false },
  });
  await stack.fetchJson('POST', '/_local/drain');
  const told = got[1] as Got;
  expect(verified(secret, told)).toMatchObject({ type: 'list_member.unsubscribed', data: { email } });
  expect(told.headers.authorization).toBe('Bearer tiger');
  expect(() => verified(secret, { ...told, body: told.body.replace(email, 'other@example.com') })).toThrow();

  await rowAction(page, 'Shop', 'Deliveries');
  await says(page, 'Delivered');
  status = 500;
  const delivery = page.getByRole('dialog').getByRole('button', { name: /^Actions for/ });
  await delivery.click();
  await page.getByRole('menuitem', { name: 'Redeliver' }).click();
  await expect.poll(() => got.length).toBe(3);
  expect(got[2]?.headers['webhook-id']).toBe(told.headers['webhook-id']);
  await page.getByText('500: The endpoint answered with an error').waitFor();
  await press(page, 'Close');

  const { body } = await stack.call('GET /api/email-lists/{list}/unsubscribe-webhooks', {
    ...as,
    params: { list },
  });
  expect(body).toMatchObject([{ failing_since: null }]);
  expect(await page.content()).not.toContain(secret);
  expect(await page.content()).not.toContain('tiger');
});
