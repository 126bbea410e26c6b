import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Answers } from '../support/components/api.ts';
import { automation, list, noChoices } from '../support/components/examples.ts';
import { button, field, isGone, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const berlin = { time_zone: 'Europe/Berlin', quiet_hours: [{ from: '22:00', until: '10:00' }] };
const one = { ...list, id: 'a00000000000' };
const connected = { ...automation, email_lists: [one] };
const answers: Answers = {
  ...noChoices,
  'GET /api/automations': [automation],
  'GET /api/automations/{automation}': connected,
  'GET /api/email-lists': [one],
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'GET /api/sending-hours': berlin,
  'PUT /api/automations/{automation}': connected,
};
const openForm = (found: Partial<typeof automation> = {}) =>
  open('/automations/a1/edit', {
    ...answers,
    'GET /api/automations/{automation}': { ...connected, ...found },
  });
const day = (name: string) => page.getByRole('checkbox', { name });

it('the times of an automation are one line until a fixed time is chosen, which says where it lies in quiet hours', async () => {
  const { api } = openForm();
  await expect.element(field('Time of day')).toHaveValue('date');
  await isGone(field('Time zone'));
  expect(api.count('GET /api/sending-hours')).toBe(0);
  await field('Time of day').selectOptions('At a fixed time');
  await says('This lies in the quiet hours of the organization: the emails go at 10:00.');
  await says(/every day at 09:00 in the time zone of the organization \(Europe\/Berlin\), without an end/);
  await field('Send at').fill('2330');
  await keys('{Tab}');
  await expect.element(field('Send at')).toHaveValue('23:30');
  await says(/the emails go at 10:00 on the next day\.$/);
  await says('It is set on the page Safeguards.');
  await field('Days off').selectOptions('Weekends');
  await says(/the emails go at 10:00 on the next day that is not off\.$/);
  await field('Days off').selectOptions('None');
  await field('Time zone').selectOptions('Of each list');
  await says('A list without one goes by that of the organization, Europe/Berlin.');
  await says(/^In the time zone of the organization this lies in its quiet hours/);
  await field('Send at').fill('');
  await press('Save Automation');
  await says('Enter a time of day from 00:00 to 23:59');
  await field('Send at').fill('12');
  await isGone(page.getByText(/this lies in its quiet hours/));
  await field('Time zone').selectOptions('Of each member');
  await press('Save Automation');
  await expect.poll(() => api.changes().at(-1)?.body).toEqual({ send_at: '12:00', time_zone_of: 'member' });
});

proof.each([
  ['member', 'organization', { send_at: null, time_zone_of: 'organization' }],
  ['list', 'list', { send_at: null }],
] as const)('only a fixed time can be that of each member: %s', async (time_zone_of, without, saved) => {
  const { api } = openForm({ send_at: '09:00', time_zone_of, days_off: ['sunday'] });
  await field('Time of day').selectOptions('At the time of the date it starts at');
  await expect.element(field('Time zone')).toHaveValue(without);
  expect(page.getByRole('option', { name: 'Of each member' }).elements()).toEqual([]);
  await press('Save Automation');
  await expect.poll(() => api.changes().at(-1)?.body).toEqual(saved);
});

proof(
  'the days off of an automation: weekends are one choice, other days are chosen by name, and at least one is left',
  async () => {
    const { api } = openForm();
    await field('Days off').selectOptions('Weekends');
    await says(/not on Saturdays and Sundays in the time zone of the organization/);
    await field('Days off').selectOptions('Other days');
    await expect.element(day('Sunday')).toBeChecked();
    for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await day(name).click();
    await press('Save Automation');
    await says('Leave at least one day of the week on which emails go');
    await day('Monday').click();
    await press('Save Automation');
    await expect
      .poll(() => (api.changes().at(-1)?.body as { days_off?: string[] } | undefined)?.days_off)
      .toEqual(['sunday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']);
  },
);

it.each([
  ['None', []],
  ['Weekends', ['sunday', 'saturday']],
])('where days off are %s, no other day or date is one any more', async (choice, days_off) => {
  const { api } = openForm({ days_off: ['friday'], dates_off: ['2030-12-24'] });
  await field('Days off').selectOptions(choice);
  await isGone(field('Dates off'));
  await press('Save Automation');
  await expect.poll(() => api.changes().at(-1)?.body).toEqual({ days_off, dates_off: [] });
});

proof(
  'the dates off of an automation are added by Enter, removed, and what is still in the field counts',
  async () => {
    const { api } = openForm({ dates_off: ['2030-12-24', '2030-12-25'] });
    const dates = page.getByRole('list', { name: 'Chosen dates' }).getByRole('listitem');
    const date = () => field('Dates off');
    await expect.poll(() => dates.all()).toHaveLength(2);
    await date().fill('2031-01-01');
    await keys('{Enter}');
    await expect.poll(() => dates.all()).toHaveLength(3);
    // Once more, it is the same date.
    await date().fill('2031-01-01');
    await press('Add date');
    await expect.element(date()).toHaveValue('');
    expect(dates.all()).toHaveLength(3);
    await press('Remove Dec 25, 2030');
    await expect.poll(() => dates.all()).toHaveLength(2);
    await expect.element(date()).toHaveFocus();
    await date().fill('2031-05-01');
    await press('Save Automation');
    await expect
      .poll(() => api.changes().at(-1)?.body)
      .toEqual({ dates_off: ['2030-12-24', '2031-01-01', '2031-05-01'] });
    // Enter has not saved it.
    expect(api.changes()).toHaveLength(1);
  },
);

proof('100 dates off are all that there can be', async () => {
  const dates_off = Array.from({ length: 100 }, (_, at) =>
    new Date(Date.UTC(2030, 0, 1 + at)).toISOString().slice(0, 10),
  );
  openForm({ dates_off });
  await says('At most 100 dates can be days off.');
  await expect.element(field('Dates off')).toBeDisabled();
  await expect.element(button('Add date')).toBeDisabled();
  await press('Remove Jan 1, 2030');
  await expect.element(field('Dates off')).toBeEnabled();
});
