import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailAssetDetail } from '#shared/email-asset.ts';
import type { EmailList } from '#shared/list.ts';
import type { ChangedListMember, ListMember } from '#shared/list-member.ts';
import type { Member } from '#shared/member.ts';
import { DraftActions } from '#web/components/actions.tsx';
import { Modal } from '#web/components/modal.tsx';
import { ask } from '#web/lib/questions.ts';
import { useAction } from '#web/lib/use-action.ts';
import { held, refusal } from '../support/components/api.ts';
import {
  ada,
  assetDetail,
  assetRow,
  colleague,
  depot,
  list,
  member,
  organization,
  profile,
} from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import {
  button,
  dialog,
  field,
  focus,
  heading,
  isGone,
  keys,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
} from '../support/components/page.ts';
import { open, render } from '../support/components/render.tsx';

const PUT = 'PUT /api/list-members/{listMember}';
const DELETE = 'DELETE /api/list-members/{listMember}';
const ACTIONS = 'POST /api/email-lists/{list}/members/actions';
const bar = () => page.getByRole('region', { name: 'Selected members' });
const pressInBar = (name: string) => bar().getByRole('button', { name }).click();

it('one who goes to another organization and back, before either has answered, sees the lists', async () => {
  const { answer, release } = held<void>();
  const { api } = open('/profile', {
    ...profile,
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': async (within): Promise<EmailList[]> => {
      await answer();
      return within.organization === organization.id ? [list] : [];
    },
  });
  const switchTo = async (from: string, to: string) => {
    await press(`Active organization: ${from}`);
    await menuItem(to).click();
    await expect.element(button(`Active organization: ${to}`)).toBeVisible();
  };
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email Lists' }).click();
  await expect.poll(() => api.count('GET /api/email-lists')).toBe(1);
  await switchTo(organization.name, depot.name);
  await switchTo(depot.name, organization.name);
  release();
  await expect.element(page.getByRole('grid').getByRole('link', { name: list.name })).toBeVisible();
});

it('an Undo waits for the run that is under way, which can be stopped', async () => {
  const { answers, subscribed } = fakeMembers(people(1_012));
  const { api } = open('/email-lists/l1', answers);
  await field('Select person10@example.com').click();
  await pressInBar('Unsubscribe');
  await says('1 member unsubscribed.');
  await field('Select all on this page').click();
  await pressInBar('Select 1,000, the most at once, of 1,012');
  await says('1,000 selected, 10 on this page');
  await field('Select person10@example.com').click();
  await pressInBar('Delete members');
  const { answer, release } = held<void>();
  api.answer({ [ACTIONS]: asked => answer().then(() => answers[ACTIONS](asked)) });
  await press('Delete 999 members');
  await expect.element(bar().getByText('Deleting 0 of 999')).toBeVisible();
  await press('Undo');
  await isGone(button('Undo'));
  await expect.element(bar().getByText('Deleting 0 of 999')).toBeVisible();
  await press('Stop');
  /** The results that the bar has shown, however short. */
  const results: string[] = [];
  new MutationObserver(() => {
    for (const alert of bar().getByRole('alert').elements()) results.push(alert.textContent ?? '');
  }).observe(bar().element(), { childList: true, subtree: true });
  release();
  await says('500 of 999 deleted; 499 not tried.');
  await says('1 member subscribed again.');
  expect(results).toEqual([]);
  expect(subscribed()).toHaveLength(512);
});

it('a member is unsubscribed once, however often one asks, and the Undo stays', async () => {
  const { answers, unsubscribed } = fakeMembers(people(2));
  const { answer, release } = held<void>();
  const { api } = open('/email-lists/l1', {
    ...answers,
    [PUT]: asked => answer().then(() => answers[PUT](asked)),
  });
  await rowAction('person10@example.com', 'Unsubscribe');
  const menu = button('Actions for person10@example.com');
  await expect.element(menu).toHaveAttribute('aria-busy', 'true');
  await focus(menu);
  await keys('{ArrowDown}{Enter}');
  await isGone(page.getByRole('menu'));
  release();
  await says('person10@example.com was unsubscribed.');
  expect(unsubscribed()).toEqual(['person10']);
  expect(api.changes()).toHaveLength(1);
  await press('Undo');
  await says('person10@example.com is subscribed again.');
});

it('of two questions, one answer does not answer the other', async () => {
  render(null);
  const question = (title: string) => ask({ title, sentences: [], confirm: 'Save and send' });
  const [first, second] = [question('First?'), question('Second?')];
  await dialog().getByRole('button', { name: 'Save and send' }).dblClick();
  expect(await first).toBe(true);
  await expect.element(page.getByRole('dialog', { name: 'Second?' })).toBeVisible();
  await pressInDialog('Cancel');
  expect(await second).toBe(false);
  await isGone(dialog());
});

it('the roles of two members are changed at once, and both are shown as they are stored', async () => {
  const eve: Member = { ...colleague, id: 'u3', name: 'Eve', email: 'eve@example.com' };
  const one = held<Member>();
  const other = held<Member>();
  open('/access-control', {
    'GET /api/organizations/{organization}/members': {
      members: [member, colleague, eve],
      next_cursor: null,
      pending_invitations: [],
    },
    'PUT /api/organizations/{organization}/members/{member}': ({ params }) =>
      params.member === eve.id ? other.answer() : one.answer(),
  });
  const role = (of: Member) => field(`Role of ${of.name}`);
  await role(colleague).selectOptions('Admin');
  await role(eve).selectOptions('Admin');
  await expect.element(role(colleague)).toHaveValue('ADMIN');
  one.release({ ...colleague, role: 'ADMIN' });
  await says(`${colleague.name} is now an admin.`);
  other.release({ ...eve, role: 'ADMIN' });
  await says('Eve is now an admin.');
  await expect.element(role(colleague)).toHaveValue('ADMIN');
  await expect.element(role(eve)).toHaveValue('ADMIN');
});

it('metadata that was removed does not come back where removing the next fails', async () => {
  const metadata = ['plan', 'city'].map(key => ({ key, type: 'string' as const, value: 'any' }));
  const withoutPlan: ChangedListMember = { ...ada, metadata: metadata.slice(1), was_subscribed: true };
  const plan = held<ChangedListMember>();
  const city = held<Response>();
  let stored: ListMember = { ...ada, metadata };
  open('/list-members/m1', {
    'GET /api/list-members/{listMember}': () => stored,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    'PUT /api/list-members/{listMember}': ({ body }) =>
      body.metadata && 'plan' in body.metadata ? plan.answer() : city.answer(),
  });
  const row = (key: string) => page.getByRole('gridcell', { name: key });
  await rowAction('plan', 'Remove');
  await isGone(row('plan'));
  await rowAction('city', 'Remove');
  await isGone(row('city'));
  await isGone(row('plan'));
  stored = withoutPlan;
  plan.release(withoutPlan);
  await says('plan was removed.');
  city.release(refusal(422, 'Not now'));
  await says('Not now');
  await expect.element(row('city')).toBeVisible();
  await isGone(row('plan'));
});

it('one who has gone to another organization meanwhile gets no form with what was duplicated', async () => {
  const { answer, release } = held<EmailAssetDetail>();
  localStorage.setItem('activeOrganizationId', String(organization.id));
  const { api, router } = open('/email-assets', {
    'GET /api/organizations': [organization, depot],
    'GET /api/automations-for-assets': [],
    'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 },
    'GET /api/email-assets/{emailAsset}': answer,
  });
  await rowAction('Spring', 'Duplicate');
  await expect.poll(() => api.count('GET /api/email-assets/e1')).toBe(1);
  await press(`Active organization: ${organization.name}`);
  await menuItem(depot.name).click();
  await expect.element(button(`Active organization: ${depot.name}`)).toBeVisible();
  release(assetDetail);
  await press(`Active organization: ${depot.name}`);
  await expect.element(menuItem(organization.name)).toBeVisible();
  expect(router.state.location.pathname).toBe('/email-assets');
});

it('one clears the selection while all are being selected, and it stays empty', async () => {
  const { answers } = fakeMembers(people(25));
  const { answer, release } = held<void>();
  const { api } = open('/email-lists/l1', answers);
  await field('Select all on this page').click();
  api.answer({
    'GET /api/email-lists/{list}/members': asked =>
      answer().then(() => answers['GET /api/email-lists/{list}/members'](asked)),
  });
  await pressInBar('Select all 25');
  await pressInBar('Clear selection');
  await isGone(bar());
  release();
  await expect.poll(() => api.count('GET /api/email-lists/l1/members')).toBe(2);
  await field('Select person10@example.com').click();
  await says('1 selected');
});

it('the caret of a search stays where one types, while the address follows', async () => {
  const { answers } = fakeMembers(people(25));
  open('/email-lists/l1', answers);
  const search = page.getByRole('searchbox');
  await search.click();
  await keys('peron2{ArrowLeft}{ArrowLeft}{ArrowLeft}s');
  await says('person20@example.com');
  await expect.element(search).toHaveValue('person2');
  expect((search.element() as HTMLInputElement).selectionStart).toBe(4);
});

it('a dialog with a draft stays while that is being saved', async () => {
  const { answer, release } = held<void>();
  const close = vi.fn();
  function Draft() {
    const { run, isRunning, error } = useAction(answer);
    return (
      <Modal title="Link content" onClose={close}>
        <DraftActions error={error} isRunning={isRunning} disabled={false} save={run} onClose={close} />
      </Modal>
    );
  }
  render(<Draft />);
  await pressInDialog('Save');
  await keys('{Escape}');
  await pressInDialog('Close');
  expect(close).not.toHaveBeenCalled();
  release();
  await expect.poll(() => close.mock.calls).toHaveLength(1);
});

it('one who has left the page of a member who is being deleted stays where they have gone', async () => {
  const { answer, release } = held<Response>();
  const { api, router } = open('/list-members/m1', {
    ...profile,
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    [DELETE]: answer,
  });
  await press('Delete');
  await pressInDialog('Delete member');
  await expect.poll(() => api.changes()).toHaveLength(1);
  await router.navigate('/profile');
  await expect.element(heading('Profile')).toBeVisible();
  release(new Response(null, { status: 204 }));
  await says(/was deleted from/);
  // Nor is the code of another page being loaded.
  expect(router.state.navigation.state).toBe('idle');
  expect(router.state.location.pathname).toBe('/profile');
});
