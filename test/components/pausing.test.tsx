import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Organization } from '#shared/organization.ts';
import type { Answers } from '../support/components/api.ts';
import {
  attention,
  automation,
  list,
  noEffect,
  noForecast,
  organization,
  profile,
  upcoming,
} from '../support/components/examples.ts';
import {
  button,
  dialog,
  heading,
  isGone,
  keys,
  menuItem,
  press,
  pressInDialog,
  says,
  shows,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const PUT = 'PUT /api/organizations/{organization}';
const PAUSED = /^All sending of .* is paused. What falls due meanwhile is not sent later./;
const off = { ...organization, active: false };

const openAs = (of: Organization, path: string, answers: Answers = {}) =>
  open(path, {
    ...profile,
    'GET /api/email-lists': [],
    'GET /api/automations': [],
    'GET /api/email-templates': [],
    'GET /api/organizations': [of],
    [PUT]: ({ body }) => ({ ...of, ...(body as Partial<Organization>) }),
    'PUT /api/organizations/{organization}/dry-run': {
      ...noEffect,
      next_24_hours: { emails: 61, people_more: 61, people_fewer: 0 },
      next_7_days: { emails: 400, people_more: 70, people_fewer: 0 },
    },
    ...answers,
  });
const banner = () => page.getByRole('status').getByText(PAUSED);

it('all sending is paused in the menu at once, and resumed by Undo or in the banner, which ask by the number of emails', async () => {
  const { api } = openAs(organization, '/profile');
  await press(`Active organization: ${organization.name}`);
  await menuItem('Pause all sending').click();
  await shows(banner());
  expect(api.changes()).toMatchObject([{ call: 'PUT /api/organizations/1', body: { active: false } }]);
  await press('Undo');
  await pressInDialog('Cancel');
  await isGone(dialog());
  await press('Resume sending');
  await shows(dialog().getByText(/^61 people get an email within 24 hours who would not have/));
  await pressInDialog('Cancel');
  await isGone(dialog());
  await shows(banner());
  await press('Resume sending');
  await pressInDialog('Resume and send 400 emails');
  await says(`${organization.name} is sending again.`);
  await isGone(banner());
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
});

proof.each([
  ['/', '/api/upcoming', '/api/attention'],
  ['/automations/a1', '/api/automations/a1/forecast'],
])('after a pause, %s asks again what is still to come', async (path, ...asked) => {
  const { api } = openAs(organization, path, {
    'GET /api/upcoming': upcoming,
    'GET /api/attention': attention,
    'GET /api/automations/{automation}': automation,
    'GET /api/automations/{automation}/forecast': noForecast,
  });
  const counts = () => asked.map(one => api.count(`GET ${one}`));
  await expect.poll(counts).toEqual(asked.map(() => 1));
  await press(`Active organization: ${organization.name}`);
  await menuItem('Pause all sending').click();
  await shows(banner());
  await expect.poll(counts).toEqual(asked.map(() => 2));
});

proof(
  'all sending is paused and resumed in the palette, and what fails says so and changes nothing',
  async () => {
    const { api } = openAs(off, '/profile', { [PUT]: () => new Response(null, { status: 500 }) });
    await keys('{Control>}k{/Control}');
    await page.getByRole('option', { name: 'Resume sending' }).click();
    await pressInDialog('Resume and send 400 emails');
    await says('Failed to resume sending. Please try again.');
    await shows(banner());
    api.answer({ [PUT]: organization });
    await press('Resume sending');
    await pressInDialog('Resume and send 400 emails');
    await isGone(banner());
    api.answer({ [PUT]: () => new Response(null, { status: 500 }) });
    await keys('{Control>}k{/Control}');
    await page.getByRole('option', { name: 'Pause all sending' }).click();
    await says('Failed to pause sending. Please try again.');
    await isGone(banner());
  },
);

it.each(['USER', 'VIEWER'] as const)('a %s sees that sending is paused, and whom to ask', async role => {
  openAs({ ...off, role }, '/profile');
  await shows(page.getByText(/is paused.* An admin or owner can resume it\.$/));
  await isGone(button('Resume sending'));
  await press(`Active organization: ${organization.name}`);
  await shows(menuItem('Create organization'));
  await isGone(menuItem('Resume sending'));
});

it('an automation says by what it is paused in place of a forecast, and that it mails existing people', async () => {
  const paused = {
    ...automation,
    email_eligibility: { ...automation.email_eligibility, is_eligible: true },
    email_lists: [{ id: list.id, name: list.name, domain: list.domain, paused: 'inactive' as const }],
    mails_existing: true,
  };
  const { router } = openAs(organization, '/automations', {
    'GET /api/automations': [
      paused,
      { ...paused, id: 'a2', email_eligibility: automation.email_eligibility },
    ],
    'GET /api/automations/{automation}': paused,
    'GET /api/automations/{automation}/forecast': noForecast,
  });
  const text = `Paused by the list ${list.name}`;
  const cell = page.getByRole('gridcell', { name: text });
  await shows(cell.first());
  const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
  expect(cell.elements().filter(isCut)).toEqual([]);
  await shows(page.getByRole('gridcell', { name: 'Not ready: nothing to send' }));
  await router.navigate('/automations/a1');
  await says(/^The people who were there already are being mailed\./);
  await shows(heading('Details'));
  await shows(page.getByRole('region', { name: 'Overview' }).getByText(text, { exact: true }));
  await shows(page.getByRole('link', { name: 'See the list' }));
  await says(`${text}: nothing is sent.`);
  // In the overview, and in place of "Active" and "Eligible" in its details.
  await expect.poll(() => page.getByText(text, { exact: true }).elements()).toHaveLength(3);
  await isGone(page.getByText('Active', { exact: true }));
  await isGone(page.getByText('Eligible to send emails'));
  await router.navigate('/automations?columns=active,eligibility');
  await shows(page.getByRole('gridcell', { name: 'Not Eligible' }));
  expect(cell.elements()).toHaveLength(3);
  await isGone(page.getByRole('gridcell', { name: /^(Active|Eligible)$/ }));
  expect(cell.elements().filter(isCut)).toEqual([]);
});
