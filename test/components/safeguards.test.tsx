import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DryRun } from '#shared/dry-run.ts';
import { INITIAL_SAFEGUARDS, WINDOWS } from '#shared/safeguards.ts';
import { readTimeZone, UTC } from '#shared/time-zone.ts';
import { ownZone } from '#web/lib/zones.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import {
  asset,
  assetDetail,
  automation,
  holdoutReport,
  noEffect,
  noForecast,
  organization,
} from '../support/components/examples.ts';
import {
  button,
  dialog,
  field,
  focus,
  isGone,
  keys,
  link,
  press,
  pressInDialog,
  says,
  shows,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const berlin = { time_zone: 'Europe/Berlin', quiet_hours: [{ from: '22:00', until: '07:00' }] };
const NOTHING = { emails: 0, unknown: 0, earned: null, complained: null };
const HELD_BACK = {
  start_date: '2026-02-01',
  end_date: '2026-03-02',
  counted_since: null,
  earned_by: 'clicks',
  limits: WINDOWS.map(({ field: limit }) => ({
    limit,
    ...NOTHING,
    ...(limit === 'max_emails_1_hour' && { emails: 412, earned: { estimate: 31, from: 22, to: 43 } }),
  })),
} as const;
const openPage = (answers: Answers = {}) =>
  open('/safeguards', {
    'GET /api/safeguards': INITIAL_SAFEGUARDS,
    'PUT /api/safeguards': INITIAL_SAFEGUARDS,
    'GET /api/sending-hours': berlin,
    'PUT /api/sending-hours': ({ body }) => ({ ...berlin, ...(body as object) }),
    'GET /api/holdout': { percent: 0 },
    'GET /api/reporting/safeguards': HELD_BACK,
    ...answers,
  });
const until = (nth: number) => page.getByRole('textbox', { name: 'Until' }).nth(nth);
const limit = (window: string) => field(`Max emails in ${window}`);

proof('a limit that a longer window makes ineffective says which one rules', async () => {
  openPage();
  await limit('5 minutes').fill('5');
  const description = 'Without effect: at most 2 in 1 hour.';
  await expect.element(limit('5 minutes')).toHaveAccessibleDescription(description);
  await limit('1 hour').fill('9');
  await expect.element(limit('1 hour')).toHaveAccessibleDescription('Without effect: at most 3 in 24 hours.');
});

it('settings say that they were saved until the next change, and an emptied limit is the usual one', async () => {
  const { api } = openPage();
  await limit('1 week').fill('2.5');
  await limit('1 hour').fill('');
  await keys('{Enter}');
  await says('Value must be a whole number');
  await expect.element(limit('1 hour')).toHaveValue(2);
  await limit('1 week').fill('1234');
  await press('Save Settings');
  await says('Settings saved successfully!');
  expect(api.changes().map(({ body }) => body)).toEqual([{ ...INITIAL_SAFEGUARDS, max_emails_1_week: 1234 }]);
  await limit('1 hour').fill('9');
  await isGone(page.getByText('Settings saved successfully!'));
});

proof(
  'limits that are switched off cannot be changed, say nothing of each other, and a wrong one is not sent',
  async () => {
    const { api } = openPage();
    await limit('5 minutes').fill('5');
    await limit('1 week').fill('0');
    await field('Enable safeguards').click();
    for (const window of ['5 minutes', '1 hour', '24 hours', '1 week'])
      await expect.element(limit(window)).toBeDisabled();
    await isGone(page.getByText(/^Without effect/));
    await press('Save Settings');
    await says('Settings saved successfully!');
    const { max_emails_1_week: _, ...valid } = INITIAL_SAFEGUARDS;
    expect(api.changes().map(({ body }) => body)).toEqual([
      { ...valid, enabled: false, max_emails_5_minutes: 5 },
    ]);
  },
);

it('a user reads the safeguards, and changes nothing', async () => {
  openPage({ 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await says('Only the owner and the admins of the organization can change these settings.');
  await expect.element(until(0)).toBeDisabled();
  const controls = () => [
    ...document.querySelectorAll('main :is(input:not([type=range]), select, button:not([data-explains]))'),
  ];
  await expect.poll(() => controls().length).toBe(12);
  expect(controls().filter(one => !one.matches(':disabled'))).toEqual([]);
});

it('the owner makes the guard stricter, and not looser', async () => {
  const { api } = openPage();
  await field('Complaints (%)').fill('0.5');
  await press('Save Settings');
  await says('Value must be at most 0.3: the guard can be stricter, not looser');
  await field('Complaints (%)').fill('0.1');
  await press('Save Settings');
  await says('Settings saved successfully!');
  const stricter = { ...INITIAL_SAFEGUARDS, pause_at_percent: { complained: 0.1, bounced: 5 } };
  expect(api.changes().map(({ body }) => body)).toEqual([stricter]);
});

it('says what each limit held back; the slider asks once it stands still, what another limit of a week would change', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked: unknown[] = [];
  openPage({
    'GET /api/safeguards/estimate': ({ query }) => {
      asked.push(Object.fromEntries(query));
      const people = { people_more: 0, people_fewer: 40, sampled: null, counted_share: 1 };
      return { emails: -120, ...people, earned_by: 'clicks', earned: { estimate: -9, from: -14, to: -5 } };
    },
  });
  await says('412 emails held back');
  await says('Probably 31 clicks missed (22 to 43)');
  const slider = page.getByRole('slider', { name: 'With 7 emails a week, as now' });
  await focus(slider);
  await keys('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  await shows(page.getByRole('slider', { name: 'With 4 emails a week instead of 7' }));
  await vi.advanceTimersByTimeAsync(1_000);
  await says(
    'In the next 30 days, 120 fewer emails: 40 people would get fewer. Probably 9 clicks lost (5 to 14).',
  );
  expect(asked).toEqual([{ max_emails_1_week: '4' }]);
});

it('limits that nobody reached say so in a sentence', async () => {
  const limits = HELD_BACK.limits.map(({ limit }) => ({ limit, ...NOTHING }));
  openPage({ 'GET /api/reporting/safeguards': { ...HELD_BACK, limits } });
  await says('No email was held back: nobody reached a limit.');
});

it('which email comes first is chosen beside the limits', async () => {
  const { api } = openPage();
  await page.getByRole('combobox', { name: 'Which email comes first' }).selectOptions('What earns most');
  await press('Save Settings');
  await says('Settings saved successfully!');
  expect(api.changes().map(({ body }) => body)).toEqual([{ ...INITIAL_SAFEGUARDS, order: 'value' }]);
});

it('admins change the limits, and only read at what the guard pauses', async () => {
  openPage({ 'GET /api/organizations': [{ ...organization, role: 'ADMIN' }] });
  await expect.element(limit('1 week')).toBeEnabled();
  await expect.element(field('Hard bounces (%)')).toBeDisabled();
});

proof('safeguards that cannot be loaded say so, each for itself, and are tried again', async () => {
  const { api } = openPage({ 'GET /api/safeguards': DOWN });
  await says('Failed to load safeguard settings');
  await shows(until(0));
  api.answer({ 'GET /api/safeguards': INITIAL_SAFEGUARDS, 'GET /api/sending-hours': DOWN });
  await press('Try again');
  await expect.element(limit('1 hour')).toHaveValue(2);
});

it('quiet hours are added and removed, and say what is wrong with them', async () => {
  const { api } = openPage();
  await press('Add quiet hours');
  await expect.element(until(1)).toHaveValue('');
  await page.getByRole('textbox', { name: 'From' }).nth(1).fill('7');
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
  await press('Add quiet hours');
  await expect.element(until(0)).toHaveValue('07:00');
});

const EMAILS = { emails: 3, people_more: 3, people_fewer: 0 };

proof('a time zone is found by its name, and a question comes before emails go by it', async () => {
  const { api } = openPage({
    'PUT /api/sending-hours/dry-run': { ...noEffect, next_24_hours: EMAILS, next_7_days: EMAILS },
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

proof(
  'quiet hours take the time zone of the browser by one press, and are not left unsaved without a question',
  async () => {
    openPage({ 'PUT /api/sending-hours': DOWN });
    const own = readTimeZone(ownZone()) ?? UTC;
    await press(`Use mine (${own})`);
    await isGone(button(`Use mine (${own})`));
    await press('Save quiet hours');
    await warns('Failed to save quiet hours');
    await link('Profile').first().click();
    await shows(page.getByRole('dialog', { name: 'Leave without saving?' }));
  },
);

const effect = (people: number, more: Partial<DryRun> = {}): DryRun => ({
  ...noEffect,
  next_24_hours: { emails: people, people_more: people, people_fewer: 0 },
  next_7_days: { emails: people + 14, people_more: people + 14, people_fewer: 0 },
  first_at: new Date(Date.now() - 30_000).toISOString(),
  ...more,
});
const DRY_RUN = 'PUT /api/automations/{automation}/dry-run';
const ONE = 'GET /api/automations/{automation}';
const on = {
  ...automation,
  email_lists: [{ id: 'l1', name: 'Customers', domain: 'example.com' }],
  email_eligibility: { ...automation.email_eligibility, is_eligible: true },
};
const off = { ...on, active: false };
const activate = () => page.getByRole('button', { name: 'Activate', exact: true });
const openInactive = (answers: Answers) =>
  open('/automations/a1', {
    [ONE]: off,
    'GET /api/automations/{automation}/forecast': noForecast,
    'PUT /api/automations/{automation}': on,
    ...answers,
  });

it('a question before emails are sent says to how many people and when', async () => {
  const { api } = openInactive({ [DRY_RUN]: effect(61) });
  await activate().click();
  await expect.element(dialog().getByRole('heading')).toHaveTextContent('Send emails?');
  await says('61 people get an email within 24 hours who would not have, the first within a minute.');
  await says('In the next 7 days, 75 people get 75 more emails.');
  await shows(page.getByText('Inactive', { exact: true }).first());
  await pressInDialog('Cancel');
  await expect.element(activate()).toBeEnabled();
  expect(api.changes()).toEqual([]);
  await activate().click();
  api.answer({ [ONE]: on });
  await pressInDialog('Activate and send');
  await isGone(activate());
  expect(api.changes()).toMatchObject([{ body: { active: true } }]);
});

proof(
  'a question says how many people are there already, who are included where that is chosen',
  async () => {
    const { api } = openInactive({ [DRY_RUN]: { ...noEffect, existing: 1_234 } });
    await activate().click();
    const also = dialog().getByRole('radio', {
      name: 'Also 1,234 people whose first email would have been due already',
    });
    await expect.element(dialog().getByRole('radio', { checked: true })).toHaveAccessibleName(/from now on$/);
    await pressInDialog('Activate');
    await expect.poll(() => api.changes()).toHaveLength(1);
    await activate().click();
    await also.click();
    await says('Of what becomes due from now on, nobody gets more emails within 24 hours.');
    await pressInDialog('Activate and send');
    await expect
      .poll(() => api.changes().map(({ body }) => body))
      .toEqual([{ active: true }, { active: true, include_existing: true }]);
  },
);

proof('a question is asked where the effect is unknown, and none where the change is refused', async () => {
  const { api } = openInactive({ [DRY_RUN]: DOWN });
  await activate().click();
  await says('What this would send could not be found out.');
  await pressInDialog('Cancel');
  expect(api.changes()).toEqual([]);
  const full = 'At most 100 automations can be active';
  api.answer({ [DRY_RUN]: refusal(422, 'No'), 'PUT /api/automations/{automation}': refusal(422, full) });
  await activate().click();
  await says(full);
});

it('limits that let fewer emails through are saved, and say for whom', async () => {
  openPage({
    'GET /api/safeguards': { ...INITIAL_SAFEGUARDS, enabled: false },
    'PUT /api/safeguards/dry-run': {
      ...noEffect,
      next_7_days: { emails: -20, people_more: 0, people_fewer: 12 },
    },
  });
  await field('Enable safeguards').click();
  await press('Save Settings');
  await says('12 people get fewer emails in the next 7 days.');
});

proof(
  'a form stays as it is if its question is declined, which says when the effect is an estimate',
  async () => {
    const { api } = openPage({
      'PUT /api/safeguards/dry-run': effect(1, {
        first_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
        next_24_hours: noEffect.next_24_hours,
        sampled: { people: 10_000, of: 45_210, margin: 120 },
        counted_share: 0.5,
      }),
    });
    await limit('5 minutes').fill('2');
    await press('Save Settings');
    await says('Nobody gets more emails within 24 hours.');
    await says(/^In the next 7 days, 15 people get 15 more emails, the first on /);
    await says('Estimated from 10,000 of 45,210 members: it may be 120 emails more or less.');
    await pressInDialog('Cancel');
    await expect.element(limit('5 minutes')).toHaveValue(2);
    expect(api.changes()).toEqual([]);
  },
);

it('the dry run of content that is switched on has what is known of it', async () => {
  const asked: unknown[] = [];
  const { api } = open(`/email-assets/${asset.id}`, {
    'GET /api/email-assets/{emailAsset}': { ...assetDetail, emailAsset: { ...asset, is_active: false } },
    'PUT /api/email-assets/{emailAsset}': assetDetail,
    'POST /api/content-links/dry-run': ({ body }) => {
      asked.push(body);
      return noEffect;
    },
  });
  await activate().click();
  await expect.poll(() => api.changes().map(({ body }) => body)).toEqual([{ is_active: true }]);
  expect(asked).toEqual([{ id: asset.id, is_active: true }]);
});

proof('the mark beside a word says what it means, and leads to its section of the help', async () => {
  openPage();
  await focus(button(/^Email Sending Safeguards: Limits on how many/));
  await keys('{Enter}');
  await expect
    .element(dialog())
    .toHaveTextContent('Limits on how many emails one person gets, from all automations.More in the help');
  await keys('{Escape}');
  await isGone(dialog());
  await expect.element(button(/^Email Sending Safeguards: Limits on how many/)).toHaveFocus();
  await keys('{Enter}');
  await expect.element(link('More in the help')).toHaveFocus();
  await keys('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Safeguards', exact: true })).toHaveFocus();
  await says(/An email beyond a limit is skipped/);
});

it('a lower holdout asks whom it reaches before it is stored; what the present one shows is beside it', async () => {
  let percent = 10;
  const { api } = openPage({
    'GET /api/holdout': { percent: 10 },
    'GET /api/reporting/holdout': () => ({ ...holdoutReport, percent }),
    'PUT /api/holdout/dry-run': { ...noEffect, next_24_hours: EMAILS, next_7_days: EMAILS },
    'PUT /api/holdout': ({ body }) => {
      ({ percent } = body);
      return body;
    },
  });
  await says('10% of people get no emails at all: 1,020 of 10,100 people on your lists.');
  await says('22% more (4% to 43%)');
  expect(textsOf('dl[aria-label="What people do who get emails"] dt')).toEqual(['Conversions', 'Value']);
  await field('Held out, in percent of people').fill('5');
  await page.getByRole('button', { name: 'Save holdout' }).click();
  await pressInDialog('Save and send');
  await says('Holdout saved.');
  await says('5% of people get no emails at all: 1,020 of 10,100 people on your lists.');
  expect(api.count('PUT /api/holdout')).toBe(1);
});

it('ending a holdout asks whom that reaches', async () => {
  const { api } = openPage({
    'GET /api/holdout': { percent: 10 },
    'GET /api/reporting/holdout': DOWN,
    'PUT /api/holdout/dry-run': { ...noEffect, next_24_hours: EMAILS, next_7_days: EMAILS },
  });
  await says('Failed to load the holdout. Please try again.');
  await field('Held out, in percent of people').fill('0');
  await press('Save holdout');
  await shows(dialog().getByRole('button', { name: 'Save and send' }));
  await pressInDialog('Cancel');
  await isGone(dialog());
  expect(api.count('PUT /api/holdout')).toBe(0);
});
