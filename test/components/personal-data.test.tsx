import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { RecordEntry } from '#shared/erasure.ts';
import type { PersonExportPage } from '#shared/export.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { ada, member, organization, profile } from '../support/components/examples.ts';
import { fakeMembers } from '../support/components/members.ts';
import {
  button,
  dialog,
  field,
  isGone,
  menuItem,
  press,
  pressInDialog,
  says,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';

const EXPORT = 'POST /api/recipients/export';
const ERASE = 'POST /api/recipients/erase';
const RECORD = 'GET /api/organizations/{organization}/record';

const saved = watchSavedFile();

const at = '2026-01-05T08:00:00Z';
const ofList = (list_name: string) => ({
  list_id: list_name,
  list_name,
  is_subscribed: true,
  changed_by: null,
  created_at: at,
  updated_at: at,
  metadata: { plan: 'gold' },
});
const stored: PersonExportPage = {
  email: ada.email,
  suppression: null,
  erased_at: null,
  former_memberships: [],
  journal: [],
  memberships: [ofList('Customers'), ofList('Readers')],
  emails: [],
  clicks: [],
  next_cursor: null,
};
const left = { number: 2, type: 'removed', at };
const email: PersonExportPage['emails'][number] = {
  number: 1,
  list_id: 'l1',
  list_name: null,
  automation_id: 'a1',
  automation_name: 'Deleted',
  combination_id: 'c1',
  status: 'sent',
  at,
  subject: 'Hello',
  happened: {},
};
const click: PersonExportPage['clicks'][number] = {
  email: 1,
  at,
  url: 'https://example.com/',
  asset_type: 'footer',
  by: 'person',
};
const entry: RecordEntry = {
  id: `${at}#erased#hash`,
  what: 'erased',
  at,
  by: { id: 'u2', name: 'Grace' },
  recipient: 'XohImNooBHFR0OVvjcYpJ3',
};

describe('On the page of a member', () => {
  const openMember = (answers: Answers = {}) =>
    open('/list-members/m1', {
      ...fakeMembers([]).answers,
      ...profile,
      'GET /api/list-members/{listMember}': ada,
      'GET /api/email-lists': [],
      'GET /api/list-member-actions': [],
      'GET /api/automations-for-templates': [],
      [EXPORT]: stored,
      ...answers,
    });
  async function choose(action: string) {
    await expect.element(button('More actions')).toBeEnabled();
    await press('More actions');
    await menuItem(action).click();
  }

  it('all that is stored about them is saved, part by part', async () => {
    openMember({
      [EXPORT]: ({ body }) =>
        body.cursor
          ? { ...stored, memberships: [ofList('Friends')], journal: [left], emails: [email], clicks: [click] }
          : { ...stored, next_cursor: 'next' },
    });
    await choose('Export data');
    await expect.poll(() => saved()?.name).toMatch(/^ada@example\.com_\d{4}-\d\d-\d\d\.json$/);
    const file = JSON.parse((await saved()?.content.text()) ?? '');
    expect(file).toMatchObject({ email: ada.email, organization: organization.name });
    expect(file).toMatchObject({ journal: [left], emails: [email], clicks: [click] });
    expect(file.memberships.map(({ list_name }: { list_name: string }) => list_name)).toEqual([
      'Customers',
      'Readers',
      'Friends',
    ]);
    expect(file.next_cursor).toBeUndefined();
  });

  it('they are erased after their address was typed, and the list is shown', async () => {
    const { api, router } = openMember({ [ERASE]: DOWN });
    await choose('Erase person…');
    await says(/their metadata in 2 lists \(Customers, Readers\)/);
    const erase = dialog().getByRole('button', { name: 'Erase person' });
    await expect.element(erase).toBeDisabled();
    await field(`Type “${ada.email}” to confirm`).fill('ada@example.co');
    await expect.element(erase).toBeDisabled();
    await field(`Type “${ada.email}” to confirm`).fill(ada.email);
    await pressInDialog('Erase person');
    await says('Failed to erase this person. Please try again');
    let calls = 0;
    api.answer({
      [ERASE]: () => ({ erased_at: ++calls === 1 ? null : at, complete: calls === 2 }),
      'GET /api/list-members/{listMember}': refusal(404, 'Member not found'),
    });
    await pressInDialog('Erase person');
    await says(`${ada.email} was erased.`);
    expect(calls).toBe(2);
    await expect.poll(() => router.state.location.pathname).toBe(`/email-lists/${ada.email_list.id}`);
    const body = { email: ada.email, confirmation: ada.email };
    expect(api.changes().filter(({ call }) => call === ERASE)).toEqual(Array(3).fill({ call: ERASE, body }));
  });

  it('who may not erase anybody is not offered it', async () => {
    openMember({ 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
    await expect.element(button('More actions')).toBeEnabled();
    await press('More actions');
    await expect.element(menuItem('Export data')).toBeVisible();
    expect(menuItem('Erase person…').query()).toBeNull();
  });
});

describe('On the page of the organization', () => {
  const openOrganization = (answers: Answers = {}) =>
    open('/access-control', {
      'GET /api/organizations/{organization}/members': {
        members: [member],
        next_cursor: null,
        pending_invitations: [],
      },
      [EXPORT]: stored,
      ...answers,
    });
  const address = () => field('Address of a person');

  it('somebody who is on no list is exported and erased by their address, and then stands in the record', async () => {
    const { api } = openOrganization({ [EXPORT]: { ...stored, memberships: [] } });
    await says('Nobody was erased');
    await address().fill(ada.email);
    await press('Export data');
    await expect.poll(() => saved()?.name).toContain(ada.email);
    await press('Erase person…');
    await says(/they are on no list/);
    await field(`Type “${ada.email}” to confirm`).fill(ada.email);
    api.answer({ [ERASE]: { erased_at: at, complete: true }, [RECORD]: { data: [entry], more: false } });
    await pressInDialog('Erase person');
    await isGone(dialog());
    await expect.element(page.getByRole('gridcell', { name: entry.recipient })).toBeVisible();
    await expect.element(page.getByRole('gridcell', { name: 'Grace' })).toBeVisible();
    await expect.element(address()).toHaveValue('');
  });

  it('it says at the address that it is none, or that nothing is stored about it', async () => {
    const { api } = openOrganization({
      [EXPORT]: refusal(422, 'Invalid', { email: ['Enter a valid email address'] }),
    });
    await address().fill('ada');
    await press('Erase person…');
    await expect.element(address()).toHaveAccessibleErrorMessage('Enter a valid email address');
    const nothing = 'Nothing is stored about this address in the organization.';
    api.answer({ [EXPORT]: refusal(404, nothing) });
    await press('Export data');
    await expect.element(address()).toHaveAccessibleErrorMessage(nothing);
    expect(saved()).toBeUndefined();
  });

  it('nobody can be erased while they are still being exported, and the button says so', async () => {
    const { answer, release } = held<typeof stored>();
    openOrganization({ [EXPORT]: answer });
    await address().fill(ada.email);
    await press('Export data');
    await expect.element(button('Erase person…')).toHaveAttribute('aria-disabled', 'true');
    release(stored);
    await expect.poll(() => saved()?.name).toContain(ada.email);
    await expect.element(button('Erase person…')).not.toHaveAttribute('aria-disabled');
  });

  it('older entries of the record are loaded by a button', async () => {
    const older = { ...entry, id: 'older', by: { id: 'u3', name: 'Edsger' } };
    openOrganization({
      [RECORD]: ({ query }) =>
        query.get('after') === entry.id ? { data: [older], more: false } : { data: [entry], more: true },
    });
    await press('Load more');
    await expect.element(page.getByRole('gridcell', { name: 'Edsger' })).toBeVisible();
    await isGone(button('Load more'));
  });

  it('is neither shown to nor asked for who may not erase anybody', async () => {
    openOrganization({ 'GET /api/organizations': [{ ...organization, role: 'USER' }], [RECORD]: DOWN });
    await says(/^You can view this organization/);
    expect(page.getByRole('heading', { name: 'Personal data' }).query()).toBeNull();
  });
});
