import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Broadcast, BroadcastForecast } from '#shared/broadcast.ts';
import { DOWN, held, refusal } from '../support/components/api.ts';
import { answersOf, columns, forecast, list, PRO, PUT, template } from '../support/components/broadcasts.ts';
import { assetRow, broadcast as draft } from '../support/components/examples.ts';
import {
  button,
  checkbox,
  dialog,
  field,
  heading,
  isGone,
  leadsTo,
  link,
  press,
  pressInDialog,
  says,
  shows,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

it('it is written, saved as a draft, and scheduled by a question that names the number of people', async () => {
  const timed = { ...draft, local_at: '2031-01-01T09:00' };
  const { api, router } = open('/broadcasts/new', {
    ...answersOf(timed),
    'POST /api/broadcasts': () => refusal(422, 'Invalid', { local_at: ['It has passed somewhere'] }),
    'GET /api/email-templates': [
      template,
      { ...template, id: 'template0002', name: 'Second', subject_line: 'Later' },
    ],
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  });
  await leadsTo('Back to Broadcasts', '/broadcasts');
  await expect.element(field('Name')).toHaveFocus();
  await field('Name').fill('Spring sale');
  await checkbox(/Customers/).click();
  await page.getByLabelText('When', { exact: true }).selectOptions('At a local time of each member');
  await checkbox(new RegExp(template.name)).click();
  await checkbox(/Second/).click();
  await checkbox(/Second/).click();
  await expect.element(checkbox(/Second/)).not.toBeChecked();
  await checkbox(/Second/).click();
  await press('Save draft');
  await warns('Choose a date and a time');
  expect(api.changes()).toEqual([]);
  await field('Date and time').fill('2031-01-01T09:00');
  await press('Save draft');
  await warns('It has passed somewhere');
  api.answer({ 'POST /api/broadcasts': DOWN });
  await press('Save draft');
  await warns('Failed to save broadcast. Please try again.');
  api.answer({ 'POST /api/broadcasts': timed });
  await press('Save draft');
  await says('Draft saved.');
  await shows(heading('Spring sale'));
  expect(api.changes().at(-1)?.body).toMatchObject({
    name: 'Spring sale',
    email_list_ids: [list.id],
    email_template_ids: [template.id, 'template0002'],
    at: null,
    local_at: '2031-01-01T09:00',
    status: 'draft',
  });
  expect(router.state.location.pathname).toBe(`/broadcasts/${draft.id}`);
  // Who gets it, who does not, and why.
  await says('497 people get it.');
  await says('20 people do not match its conditions.');
  await says('12 people unsubscribed, bounced or complained.');
  await says(/^3 people: the member had as many emails as the safeguards allow within 24 hours/);
  await shows(button('Preview and test'));
  await press('Schedule');
  await shows(dialog().getByText('497 people get it. When: Jan 1, 2031, 09:00, local time.'));
  await pressInDialog('Cancel');
  await isGone(dialog());
  expect(api.changes().filter(({ call }) => call.startsWith('PUT'))).toEqual([]);
  await press('Schedule');
  api.answer({ [PUT]: () => refusal(422, 'Invalid', { local_at: ['This time has passed'] }) });
  const asked = api.count(`GET /api/broadcasts/${draft.id}`);
  await pressInDialog('Send to 497 people');
  await warns('This time has passed');
  // What refuses it may be the change of a colleague.
  await expect.poll(() => api.count(`GET /api/broadcasts/${draft.id}`)).toBe(asked + 1);
  const scheduled = { ...timed, status: 'scheduled' as const };
  api.answer({ [PUT]: scheduled, 'GET /api/broadcasts/{broadcast}': scheduled });
  await press('Schedule');
  await pressInDialog('Send to 497 people');
  await says('Scheduled');
  await says('Jan 1, 2031, 09:00, local time');
  expect(api.changes().at(-1)).toEqual({
    call: `PUT /api/broadcasts/${draft.id}`,
    body: { status: 'scheduled', revision: 'first' },
  });
  await isGone(page.getByRole('alert').getByText('This time has passed'));
  await isGone(button('Schedule'));
});

it('a new email is written once the draft is saved, which is where that leads back to', async () => {
  const { router } = open('/broadcasts/new', {
    ...answersOf(draft),
    'POST /api/broadcasts': draft,
    'GET /api/automations-for-templates': [],
  });
  await expect.element(page.getByLabelText('When', { exact: true })).toHaveDisplayValue('Now');
  await field('Name').fill('Spring sale');
  await press('Save draft and write template');
  await shows(heading('Create Email Template'));
  expect(router.state.location.search).toBe(`?automation=${draft.id}`);
  await expect.element(link('Cancel')).toHaveAttribute('href', `/broadcasts/${draft.id}`);
});

proof(
  'a draft whose email was refused is saved after that with what is chosen, and leads to its page',
  async () => {
    const readers = { ...list, id: 'list00000002', name: 'Readers', active: false };
    const asset = { ...assetRow, id: 'asset0000001' };
    const { api } = open('/broadcasts/new', {
      ...answersOf(draft),
      'GET /api/email-lists': DOWN,
      'POST /api/broadcasts': refusal(422, 'Invalid', { email_template_ids: ['A template is gone'] }),
      'GET /api/email-assets': { data: [asset], current_page: 1, last_page: 1, total: 1, found: 1 },
      ...columns,
    });
    await field('Name').fill('Spring sale');
    api.answer({ 'GET /api/email-lists': [list, readers] });
    await press('Try again');
    await checkbox(/Customers/).click();
    await checkbox(/Readers.*inactive/).click();
    await checkbox(/Customers/).click();
    await press('Add condition');
    await checkbox(new RegExp(template.name)).click();
    await checkbox(new RegExp(template.name)).click();
    await press('Assets');
    await checkbox(/Spring/).click();
    await press('Save draft and write template');
    await warns('Condition 1: choose a column');
    await field('Column').selectOptions('plan');
    await field('Value').fill('pro');
    await press('Save draft and write template');
    await warns('A template is gone');
    api.answer({ 'POST /api/broadcasts': draft });
    await press('Save draft');
    await shows(heading('Spring sale'));
    expect(api.changes().at(-1)?.body).toEqual({
      name: 'Spring sale',
      email_list_ids: [readers.id],
      audience: PRO,
      at: null,
      local_at: null,
      email_template_ids: [],
      email_asset_ids: [asset.id],
      holdout_percent: 0,
      status: 'draft',
    });
  },
);

it('a timed one with a list that is gone goes now to the others, and its new email is written after that', async () => {
  const local_at = '2031-01-01T09:00';
  const timed = { ...draft, local_at, audience: PRO, email_list_ids: ['gone00000000'] };
  const { api, router } = open(`/broadcasts/${draft.id}/edit`, {
    ...answersOf(timed),
    ...columns,
    'GET /api/automations-for-templates': [],
  });
  await says('In the time zone of each member. Members without one have that of the organization.');
  await page.getByLabelText('When', { exact: true }).selectOptions('Now');
  await isGone(field('Date and time'));
  await checkbox(/Customers/).click();
  await says('Members for whom plan is pro.');
  await press('Save and write template');
  await shows(heading('Create Email Template'));
  expect(router.state.location.search).toBe(`?automation=${draft.id}`);
  expect(api.changes().map(({ body }) => body)).toEqual([{ email_list_ids: [list.id], local_at: null }]);
});

it('a share of its people is held out, of whom the log says who they are', async () => {
  const { api } = open(`/broadcasts/${draft.id}/edit`, { ...answersOf(draft) });
  const percent = field('Held out, in percent of people');
  await expect.element(percent).toHaveAccessibleDescription(/the sending log says who they are/);
  await percent.fill('60');
  await press('Save');
  await warns('A holdout is a whole number of percent, from 0 to 50');
  await percent.fill('10');
  await press('Save');
  await shows(heading('Spring sale'));
  expect(api.changes().map(({ body }) => body)).toEqual([{ holdout_percent: 10 }]);
});

it('what is changed of a scheduled one is saved after the same question', async () => {
  const scheduled: Broadcast = { ...draft, status: 'scheduled', at: '2031-01-01T09:00:00.000Z' };
  const count = held<BroadcastForecast>();
  const asked: unknown[] = [];
  const { api, router } = open(`/broadcasts/${draft.id}/edit`, {
    ...answersOf(scheduled),
    'POST /api/broadcasts/forecast': refusal(422, 'Invalid', { at: ['This time has passed'] }),
  });
  await field('Name').fill('Summer sale');
  await field('Date and time').fill('2031-02-01T09:00');
  await press('Save');
  await warns('This time has passed');
  api.answer({
    'POST /api/broadcasts/forecast': ({ body }) => {
      asked.push(body);
      return count.answer();
    },
  });
  await press('Save');
  await shows(button('Saving...').first());
  count.release({ ...forecast, emails: 1, sampled: null });
  await shows(dialog().getByText(/^1 person gets it\. When: Feb 1, 2031/));
  await pressInDialog('Cancel');
  await isGone(dialog());
  await expect.element(field('Name')).toHaveValue('Summer sale');
  expect(api.changes()).toEqual([]);
  await press('Save');
  await pressInDialog('Send to 1 person');
  await says('Broadcast saved.');
  await shows(heading('Spring sale'));
  const at = '2031-02-01T09:00:00.000Z';
  expect(asked).toEqual(
    Array(2).fill(expect.objectContaining({ name: 'Summer sale', email_list_ids: [list.id], at })),
  );
  expect(api.changes()).toEqual([
    { call: `PUT /api/broadcasts/${draft.id}`, body: { name: 'Summer sale', at, revision: 'first' } },
  ]);
  // Without a change, nothing is asked or saved.
  for (const done of ['Save', 'Cancel']) {
    await link('Edit broadcast').click();
    await press(done);
    await shows(heading('Spring sale'));
    expect(router.state.location.pathname).toBe(`/broadcasts/${draft.id}`);
  }
  expect([asked.length, api.changes().length]).toEqual([2, 1]);
});

/** Edits a draft: it goes at a time of another kind. Returns what is saved. */
async function retimed(broadcast: Broadcast, shown: string, kind: string, time: string) {
  const { api } = open(`/broadcasts/${broadcast.id}/edit`, answersOf(broadcast));
  await expect.element(field('Date and time')).toHaveValue(shown);
  await page.getByLabelText('When', { exact: true }).selectOptions(kind);
  await field('Date and time').fill(time);
  await press('Save');
  await shows(heading(broadcast.name));
  return api.changes()[0]?.body;
}

/** Times of the browser are two hours later than UTC. */
function twoHoursLater() {
  const inZone = (value: unknown) => (/T\d\d:\d\d$/.test(String(value)) ? `${value}+02:00` : value);
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-120);
  const construct = (of: DateConstructor, values: unknown[]) => Reflect.construct(of, values.map(inZone));
  vi.stubGlobal('Date', new Proxy(Date, { construct }));
}

proof('an instant is shown in the zone of the browser, and gives way to a local time', async () => {
  twoHoursLater();
  const timed = { ...draft, at: '2031-01-01T09:00:00.000Z' };
  const local_at = '2031-01-02T10:00';
  expect(await retimed(timed, '2031-01-01T11:00', 'At a local time of each member', local_at)).toEqual({
    at: null,
    local_at,
  });
  await shows(button('Schedule'));
});

proof('a local time gives way to an instant, which is chosen in the zone of the browser', async () => {
  twoHoursLater();
  const local_at = '2031-01-02T10:00';
  expect(await retimed({ ...draft, local_at }, local_at, 'At a date and time', '2031-01-03T10:00')).toEqual({
    at: '2031-01-03T08:00:00.000Z',
    local_at: null,
  });
});
