import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import type { Simulation } from '#shared/simulation.ts';
import { DOWN } from '../support/components/api.ts';
import { automation } from '../support/components/examples.ts';
import { dialog, focus, isGone, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const one = { 'GET /api/automations/{automation}': automation } as const;
const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString(),
  count: 12,
  skipped: 8,
}));
const forecast = { days, total_count: 360, sampled: null, counted_share: 1 };

/** One email is sent. */
const simulation: Simulation = {
  automation: automation.name,
  total_count: 1,
  count: 1,
  limited: false,
  max_results: 100,
  from: '2026-11-01T00:00:00.000Z',
  until: '2026-11-02T00:00:00.000Z',
  counted_until: '2026-11-02T00:00:00.000Z',
  left_out: null,
  inactive_lists: [],
  will_send: 1,
  held: 0,
  skipped: {},
  safeguards: INITIAL_SAFEGUARDS,
  instead_of: [],
  sampled: null,
  hourly_summary: [{ hour: '2026-11-01T00:00:00.000Z', count: 1, will_send: 1, skipped: 0 }],
  sample_emails: [
    {
      list_member_id: 'm1',
      email: 'ada@example.com',
      list_name: 'Customers',
      scheduled_time: '2026-11-01T00:00:00.000Z',
      held_since: null,
      trigger_column: 'signed_up_at',
      trigger_value: '2026-10-31T21:30:00.000Z',
    },
  ],
};

it('a simulation has its times in one zone, and says which emails wait for quiet hours, and since when', async () => {
  const [sample] = simulation.sample_emails;
  open('/automations/a1?open=simulation', {
    ...one,
    'GET /api/automations/{automation}/forecast': forecast,
    'GET /api/automations/{automation}/simulate': {
      ...simulation,
      held: 1,
      sample_emails: sample ? [{ ...sample, held_since: '2026-10-31T22:30:00.000Z' }] : [],
    },
  });
  await says('1 of these waits for quiet hours to end.');
  await says('waits since 22:30 for the end of quiet hours');
  const row = dialog().getByRole('row').filter({ hasText: 'ada@example.com' });
  await expect.element(row.getByText('Oct 31, 2026, 21:30 UTC')).toBeVisible();
});

const bars = (name: string) => page.getByRole('list', { name }).getByRole('listitem');

it('a simulation says how far it came and what is not sent, and can be tried again', async () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 10, 1, 0, hours * 60)).toISOString();
  const large: Simulation = {
    ...simulation,
    automation: 'welcome',
    total_count: 1_204,
    count: 1,
    limited: true,
    max_results: 100,
    hourly_summary: Array.from({ length: 24 }, (_, hour) => ({
      hour: at(hour),
      count: 602 * Number(hour < 2),
      will_send: 602 * Number(hour < 2),
      skipped: 0,
    })),
    will_send: 1_204,
    sample_emails: [
      {
        list_member_id: 'm1',
        email: 'ada@example.com',
        list_name: 'Customers',
        scheduled_time: at(1),
        held_since: null,
        trigger_column: null,
        trigger_value: '2026-03-01T10:00:00.000Z',
      },
    ],
    from: at(0),
    until: at(24),
    counted_until: at(1.5),
    left_out: null,
    inactive_lists: ['Readers'],
  };
  const { api } = open('/automations/a1?open=simulation', {
    'GET /api/automations/{automation}': { ...automation, active: false },
    'GET /api/automations/{automation}/forecast': forecast,
    'GET /api/automations/{automation}/simulate': DOWN,
  });
  await says('Failed to simulate automation. Please try again.');
  api.answer({ 'GET /api/automations/{automation}/simulate': large });
  await press('Try again');
  for (const text of [
    '1,204 Emails to be Sent',
    '(Limited to 100 sample emails)',
    'This automation is inactive: nothing is sent until it is activated.',
    'Nothing is sent to Readers until this list is activated.',
    /^Counted until .* only: there are too many members/,
  ]) {
    await expect.element(dialog().getByText(text)).toBeVisible();
  }
  const hours = bars('Emails per hour')
    .elements()
    .map(({ textContent }) => textContent);
  expect(hours[0]).toContain(': 602 emails');
  expect(hours[1]).toContain(': at least 602 emails');
  expect(hours[2]).toContain(': not counted');
  const table = page.getByRole('grid', { name: 'Sample emails' });
  expect(table.getByRole('columnheader', { name: 'Days Since Trigger' }).elements()).toEqual([]);
  expect(table.getByRole('gridcell', { name: 'Date added' }).elements()).toHaveLength(1);
  await keys('{Escape}');
  await isGone(dialog());
  const none = {
    total_count: 0,
    count: 0,
    will_send: 0,
    limited: false,
    hourly_summary: [],
    sample_emails: [],
  };
  api.answer({ 'GET /api/automations/{automation}/simulate': { ...large, ...none } });
  await press('Simulate');
  await says('No emails scheduled');
});

it('a forecast is loaded after a retry, read by the keyboard, and says where it is estimated', async () => {
  const { api } = open('/automations/a1', {
    ...one,
    'GET /api/automations/{automation}/forecast': DOWN,
    'GET /api/forecast': {
      ...forecast,
      sampled: { people: 10_000, of: 45_210, margin: 120 },
      counted_share: 0.5,
    },
  });
  await says('Failed to load the forecast. Please try again.');
  api.answer({ 'GET /api/automations/{automation}/forecast': forecast });
  await press('Try again');
  await says('360 emails, 240 not sent');
  await focus(page.getByRole('list', { name: 'Emails per day' }));
  await keys('{ArrowRight}');
  const first = bars('Emails per day').first().element().textContent;
  await expect.poll(() => page.getByText(first, { exact: true }).elements()).toHaveLength(2);
  await page.getByRole('tab', { name: 'All automations' }).click();
  await expect.element(bars('Emails per day').first()).toHaveTextContent('Sun, Nov 1: 12 emails, 8 not sent');
  await says(/Estimated from 10,000 of 45,210 members/);
  await says(/Only about 50% of the members could be looked at/);
});

it('a simulation says what is held back, by which limit and which automations, and why nothing is sent', async () => {
  const held = {
    ...simulation,
    total_count: 60,
    will_send: 32,
    skipped: { 'capped:max_emails_5_minutes': 28 },
    instead_of: [{ id: 'a2', name: 'tips', count: 28 }],
    hourly_summary: [{ hour: '2026-11-01T00:00:00.000Z', count: 60, will_send: 32, skipped: 28 }],
  };
  const { api } = open('/automations/a1?open=simulation', {
    ...one,
    'GET /api/automations/{automation}/forecast': forecast,
    'GET /api/automations/{automation}/simulate': held,
  });
  await says('60 Emails to be Sent');
  await says('60 due · 32 sent · 28 held back by the limit of one in 5 minutes');
  await says('tips takes the place of what is held back.');
  expect(bars('Emails per hour').first().element().textContent).toContain('32 emails, 28 not sent');
  await keys('{Escape}');
  await isGone(dialog());
  const nothing = { ...held, will_send: 0, skipped: { no_key: 60 }, instead_of: [] };
  api.answer({ 'GET /api/automations/{automation}/simulate': nothing });
  await press('Simulate');
  await says('Nothing will be sent: its lists have no sending key.');
  await isGone(page.getByText('60 Emails to be Sent'));
});
