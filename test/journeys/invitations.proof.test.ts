import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, rowActionByKeyboard, says } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { invite, mailedInvitation, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('an invitation that is cancelled while it is shown cannot be accepted, and says so', async () => {
  const [owner, guest] = [await newMember(stack, 'owner'), await newMember(stack)];
  const depot = await newOrganization(stack, owner);
  await invite(stack, owner, depot, guest.email);
  const page = await visit(await mailedInvitation(stack, guest.email), guest);
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();

  const hers = await visit('/access-control', { ...owner, organization: depot });
  await rowActionByKeyboard(hers, guest.email, 'Cancel invitation');
  await answer(hers, 'Cancel invitation');
  await hers.getByText('Invitation cancelled.').waitFor();
  expect(await hers.getByText(guest.email).count()).toBe(0);

  await press(page, 'Accept');
  await page.getByRole('heading', { name: 'Invitation Error', level: 1 }).waitFor();
  await says(page, 'This invitation has been cancelled.');
  await page.getByRole('link', { name: 'Go to Home' }).waitFor();
  const { body } = await stack.call('GET /api/organizations', { token: guest.token });
  expect(body.map(({ id }: { id: number }) => id)).toEqual([guest.home.id]);
});
