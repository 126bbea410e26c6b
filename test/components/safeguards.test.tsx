import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { readTimeZone, UTC } from '#shared/time-zone.ts';
import { ownZone } from '#web/lib/zones.ts';
import { type Answers, DOWN } from '../support/components/api.ts';
import { button, field, isGone, keys, press, says, warns } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

it('a limit that a longer window makes ineffective says which one rules', async () => {
  open('/safeguards', { 'GET /api/safeguards': INITIAL_SAFEGUARDS });
  await field('Max emails in 5 minutes').fill('5');
  await expect
    .element(field('Max emails in 5 minutes'))
    .toHaveAccessibleDescription('Without effect: at most 2 in 1 hour.');
  await field('Max emails in 1 hour').fill('9');
  await expect
    .element(field('Max emails in 1 hour'))
    .toHaveAccessibleDescription('Without effect: at most 3 in 24 hours.');
});

it('that settings were saved is said until the next change', async () => {
  open('/safeguards', {
    'GET /api/safeguards': INITIAL_SAFEGUARDS,
    'PUT /api/safeguards': INITIAL_SAFEGUARDS,
  });
  await press('Save Settings');
  await says('Settings saved successfully!');
  await field('Max emails in 1 hour').fill('9');
  expect(page.getByText('Settings saved successfully!').elements()).toEqual([]);
});

const berlin = { time_zone: 'Europe/Berlin', quiet_hours: [{ from: '22:00', until: '07:00' }] };
const openHours = (answers: Answers = {}) =>
  open('/safeguards', {
    'GET /api/safeguards': INITIAL_SAFEGUARDS,
    'GET /api/sending-hours': berlin,
    'PUT /api/sending-hours': ({ body }) => ({ ...berlin, ...(body as object) }),
    ...answers,
  });
const until = (nth: number) => page.getByRole('textbox', { name: 'Until' }).nth(nth);

it('quiet hours are added and removed, and what is wrong with them is said where it is', async () => {
  const { api } = openHours();
  await press('Add quiet hours');
  await page.getByRole('textbox', { name: 'From' }).nth(1).fill('7');
  await until(1).fill('700');
  await press('Save quiet hours');
  await warns('Quiet hours must begin and end at different times');
  await until(1).fill('22:00');
  await press('Save quiet hours');
  await warns('These quiet hours leave no minute of the day in which emails go');
  await press('Remove quiet hours 1');
  await until(0).fill('2330');
  await press('Save quiet hours');
  await says('Saved. It holds within two minutes.');
  expect(api.changes().at(-1)?.body).toEqual({ quiet_hours: [{ from: '07:00', until: '23:30' }] });
  await press('Remove quiet hours 1');
  await says('None: emails go at any hour.');
  await expect.element(button('Add quiet hours')).toHaveFocus();
  for (let added = 0; added < 5; added++) await press('Add quiet hours');
  await expect.element(button('Add quiet hours')).toBeDisabled();
});

it('another time zone is found by its name, and asked about before emails go by it', async () => {
  const more = { emails: 3, people_more: 3, people_fewer: 0 };
  const { api } = openHours({
    'PUT /api/sending-hours/dry-run': {
      next_24_hours: more,
      next_7_days: more,
      first_at: null,
      sampled: null,
      counted_share: 1,
    },
  });
  await page.getByRole('button', { name: /^Time zone of the organization Europe\/Berlin/ }).click();
  await page.getByPlaceholder('Search time zones').fill('new york');
  await keys('{Enter}');
  await expect
    .element(page.getByRole('button', { name: /^Time zone .* America\/New_York \(UTC-[45]\)$/ }))
    .toHaveFocus();
  await press('Save quiet hours');
  await says(/^3 people get an email within 24 hours who would not have/);
  expect(api.count('PUT /api/sending-hours')).toBe(0);
  await press('Save and send');
  await says('Saved. It holds within two minutes.');
  expect(api.changes().at(-1)?.body).toEqual({ time_zone: 'America/New_York' });
});

it('the time zone of the browser is one press away, and quiet hours that are not saved are asked about', async () => {
  openHours({ 'PUT /api/sending-hours': DOWN });
  const own = readTimeZone(ownZone()) ?? UTC;
  await press(`Use mine (${own})`);
  await isGone(button(`Use mine (${own})`));
  await press('Save quiet hours');
  await warns('Failed to save quiet hours');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});
