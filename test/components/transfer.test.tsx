import { expect, it } from 'vitest';
import { colleague, member, templateDetail } from '../support/components/examples.ts';
import { dialog, press } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const MEMBERS = 'GET /api/organizations/1/members';
const third = { ...colleague, id: 'u3', name: 'Kay', email: 'kay@example.com' };

const openDialog = async (next: string | null) => {
  const opened = open('/email-templates/t1', {
    'GET /api/email-templates/{emailTemplate}': templateDetail,
    'GET /api/organizations/{organization}/members': ({ query }) => ({
      members: query.has('cursor') ? [third] : [member, colleague],
      next_cursor: next,
      pending_invitations: [],
    }),
  });
  await press('Transfer Ownership');
  await expect
    .element(dialog().getByRole('option', { name: 'Grace (grace@example.com)' }))
    .toBeInTheDocument();
  return opened;
};

it('a page of members that leads to itself is the last one', async () => {
  const { api } = await openDialog('more');
  await expect.element(dialog().getByRole('option', { name: 'Kay (kay@example.com)' })).toBeInTheDocument();
  expect(api.count(MEMBERS)).toBe(2);
});
