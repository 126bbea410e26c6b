import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { held } from '../support/components/api.ts';
import { organization, profile, token } from '../support/components/examples.ts';
import { answer, button, field, keys, press, rowAction, says, warns } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const name = () => field('Token name');
const row = (of: string) => page.getByRole('row').filter({ hasText: of });

const openWith = (...names: string[]) =>
  open('/profile', { ...profile, 'GET /api/tokens': { tokens: names.map(token) } });
const openForm = (...names: string[]) =>
  open('/profile?open=token', { ...profile, 'GET /api/tokens': { tokens: names.map(token) } });

proof('the name of a token is judged while it is typed', async () => {
  openWith('taken');
  await expect.element(row('taken')).toBeVisible();
  await press('Create token');
  for (const [typed, fault] of [
    ['my-token', 'Token name can only contain letters, numbers, and underscores'],
    ['taken', 'A token with this name already exists'],
    ['', 'Token name is required'],
  ] as const) {
    await name().fill(typed);
    await warns(fault);
    await expect.element(button('Create')).toBeDisabled();
  }
  await name().fill('Taken_2');
  await expect.element(button('Create')).toBeEnabled();
});

it('while a token is created nothing can be cancelled or discarded: its value is always shown', async () => {
  const { api } = openForm();
  const { answer: created, release } = held<{ token: string }>();
  api.answer({ 'POST /api/tokens': created });
  await name().fill('import');
  await keys('{Escape}');
  await expect.element(button('Discard')).toBeVisible();
  name().element().focus();
  await keys('{Enter}');
  await press('Discard');
  await keys('{Escape}');
  release({ token: 'lf_value' });
  const shown = page.getByRole('dialog', { name: 'Token created' });
  await expect.element(shown.getByText('lf_value')).toBeVisible();
  expect(api.changes()).toHaveLength(1);
});

proof('the focus goes to the value of a new token, then to its row', async () => {
  const { api } = openWith();
  api.answer({
    'POST /api/tokens': () => {
      api.answer({ 'GET /api/tokens': { tokens: [token('first')] } });
      return { token: 'lf_value' };
    },
  });
  await press('Create token');
  await name().fill('first');
  await keys('{Enter}');
  await expect.element(button('Copy')).toHaveFocus();
  await expect.poll(() => document.querySelector('[aria-label="Actions for first"]')).not.toBeNull();
  await answer('Close');
  await expect.element(row('first')).toHaveFocus();
});

proof(
  'the focus goes from a deleted token to the next one, at last to the button that creates one',
  async () => {
    const left = ['one', 'two', 'three'];
    const { api } = openWith(...left);
    api.answer({
      'GET /api/tokens': () => ({ tokens: left.map(token) }),
      'DELETE /api/tokens/{id}': ({ params }) => {
        left.splice(left.indexOf(params.id), 1);
        return undefined;
      },
    });
    for (const [deleted, next] of [
      ['one', row('two')],
      ['three', row('two')],
      ['two', button('Create token')],
    ] as const) {
      await rowAction(deleted, 'Delete');
      await answer('Delete');
      await expect.element(next).toHaveFocus();
    }
  },
);

it('a token is created with the access that is chosen, at first to read and to send contacts', async () => {
  const { api } = openForm();
  const organizations: number[] = [];
  api.answer({
    'POST /api/tokens': ({ organization }) => {
      organizations.push(organization);
      return { token: 'lf_value' };
    },
  });
  await name().fill('crm');
  const access = (scope: string) => page.getByRole('checkbox', { name: scope });
  await expect.element(access('Read')).toBeChecked();
  await expect.element(access('Sending')).not.toBeChecked();
  await access('Read').click();
  await access('Contacts').click();
  await says('Choose at least one');
  await expect.element(button('Create')).toBeDisabled();
  await access('Sending').click();
  await access('Content').click();
  await press('Create');
  await expect.element(page.getByText('lf_value')).toBeVisible();
  expect(api.changes()).toMatchObject([{ body: { name: 'crm', scopes: ['content', 'sending'] } }]);
  expect(organizations).toEqual([organization.id]);
});

it('a viewer creates a token that reads', async () => {
  const { api } = open('/profile?open=token', {
    ...profile,
    'GET /api/tokens': { tokens: [] },
    'GET /api/organizations': [{ ...organization, role: 'VIEWER' }],
    'POST /api/tokens': { token: 'lf_value' },
  });
  await expect.element(page.getByRole('checkbox', { name: 'Contacts' })).toBeDisabled();
  await name().fill('report');
  await press('Create');
  await expect.element(page.getByText('lf_value')).toBeVisible();
  expect(api.changes()).toMatchObject([{ body: { scopes: ['read'] } }]);
});

it('the table says what each token may do', async () => {
  open('/profile', {
    ...profile,
    'GET /api/tokens': { tokens: [{ ...token('crm'), scopes: ['read', 'sending'] }, token('old')] },
  });
  await expect.element(row('crm').getByText('Read, Sending')).toBeVisible();
  await expect.element(row('old').getByText('Basic')).toBeVisible();
});
