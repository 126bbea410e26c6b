import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { INITIAL_SAFEGUARDS } from '../../shared/safeguards.ts';
import type { Simulation } from '../../shared/simulation.ts';
import { refusal } from '../support/components/api.ts';
import { automation } from '../support/components/examples.ts';
import { dialog, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const one = { 'GET /api/automations/{automation}': automation } as const;
const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString(),
  count: 12,
  skipped: 8,
}));
const forecast = { days, total_count: 360, sampled: null, counted_share: 1 };

it('a bar of the forecast of all automations is labelled with all that it shows', async () => {
  open('/automations/a1', {
    ...one,
    'GET /api/automations/{automation}/forecast': forecast,
    'GET /api/forecast': forecast,
  });
  await page.getByRole('tab', { name: 'All automations' }).click();
  const bar = page.getByRole('list', { name: 'Emails per day' }).getByRole('listitem').first();
  await expect.element(bar).toHaveTextContent('Sun, Nov 1: 12 emails, 8 not sent20');
});

it('a forecast that is refused says why', async () => {
  const busy = 'Too much is going on at once. Please try again.';
  open('/automations/a1', { ...one, 'GET /api/automations/{automation}/forecast': refusal(429, busy) });
  await says(busy);
});

it('a row of a simulation has its times in one zone, and says which', async () => {
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
        trigger_column: 'signed_up_at',
        trigger_value: '2026-10-31T21:30:00.000Z',
      },
    ],
  };
  open('/automations/a1?open=simulation', {
    ...one,
    'GET /api/automations/{automation}/forecast': forecast,
    'GET /api/automations/{automation}/simulate': simulation,
  });
  const row = dialog().getByRole('row').filter({ hasText: 'ada@example.com' });
  await expect.element(row.getByText('Nov 1, 2026, 00:00 UTC')).toBeVisible();
  await expect.element(row.getByText('Oct 31, 2026, 21:30 UTC')).toBeVisible();
});
