import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Plan } from '#shared/plan.ts';
import { type Answers, refusal } from '../support/components/api.ts';
import { automation, organization } from '../support/components/examples.ts';
import {
  button,
  dialog,
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

const HASH = '7d0c3b9e'.repeat(8);
const by = { id: 'u2', name: 'Anna' };
const plan: Plan = {
  hash: HASH,
  made_at: '2026-01-05T08:00:00Z',
  made_by: by,
  expires_at: '2026-01-06T08:00:00Z',
  applied_at: null,
  applied_by: null,
  scopes: ['content', 'automations', 'sending'],
  changes: [
    {
      kind: 'automation',
      id: automation.id,
      name: 'welcome_email',
      action: 'change',
      before: { delay_days: 3, active: false, audience: null, email_lists: ['Readers'] },
      after: {
        delay_days: 4,
        active: true,
        audience: { all: [{ field: 'plan', op: 'is', value: 'pro' }] },
        email_lists: ['Readers', 'Customers'],
      },
    },
    {
      kind: 'sequence',
      id: null,
      name: 'Course',
      action: 'create',
      before: null,
      after: { steps: [{ name: 'first', delay_days: 0, delay_minutes: 30, active: false }] },
    },
    {
      kind: 'template',
      id: 't1',
      name: 'Welcome',
      action: 'new_wording',
      before: { pre_cta_content: 'Hello\nthere' },
      after: { pre_cta_content: 'Hello\nyou' },
    },
    {
      kind: 'sending_hours',
      id: null,
      name: null,
      action: 'change',
      before: { quiet_hours: [] },
      after: { quiet_hours: [{ from: '22:00', until: '06:00' }] },
    },
    { kind: 'asset', id: 'a1', name: 'Goodbye', action: 'delete', before: { value: 'Goodbye' }, after: null },
  ],
  effect: {
    days: Array.from({ length: 30 }, (_, nth) => ({
      date: new Date(Date.UTC(2026, 0, 5 + nth)).toISOString().slice(0, 10),
      more: nth === 4 ? 61 : 0,
      fewer: nth === 3 ? 12 : 0,
    })),
    newly_reached: { count: 61, margin: 4, samples: [{ list_member_id: 'm1', email: 'ada@example.com' }] },
    no_longer_reached: { count: 0, margin: 0, samples: [] },
    binding_caps: [{ cap: 'max_emails_24_hours', emails_now: 0, emails: 3 }],
    obstacles: [
      { automation: 'first', reason: 'no_content', text: 'The automation has no active content', emails: 2 },
    ],
    sampled: null,
    counted_share: 1,
  },
};

const ROUTE = 'GET /api/plans/{hash}';
const APPLY = 'POST /api/plans/{hash}/apply';
const openPlan = (answers: Answers = {}) => open(`/plans/${HASH}`, { [ROUTE]: plan, ...answers });
const change = (name: string) => page.getByRole('region', { name, exact: true });

it('a plan says whom it touches by day, and each change from what to what, in words', async () => {
  openPlan();
  await shows(heading('Plan 7d0c3b9e'));
  await says(/^Made by Anna on .* UTC\. It can be applied until .* UTC, /);
  await says('61 people, 4 more or less');
  await leadsTo('ada@example.com', '/list-members/m1');
  await says('61 emails more, 12 fewer');
  await shows(page.getByRole('listitem').getByText('Fri, Jan 9, 2026: 61 emails more, 0 fewer'));
  await says('Skips 3 emails, and 0 without the plan');
  await says(/^first: The automation has no active content. 2 emails not sent.$/);
  const lines = (name: string) => change(name).element().textContent;
  await shows(change('Change automation welcome_email'));
  expect(lines('Change automation welcome_email')).toContain('Days after the trigger34');
  expect(lines('Change automation welcome_email')).toContain('StatusInactiveActive');
  expect(lines('Change automation welcome_email')).toContain('ListsReadersReaders, Customers');
  expect(lines('Change automation welcome_email')).toMatch(/ConditionsEverybodyMembers for whom plan is/i);
  expect(lines('Create sequence Course')).toContain('1. first: after 0 days 30 minutes, off');
  expect(lines('New wording of template Welcome')).toContain('Hello\nthereHello\nyou');
  expect(lines('Change the sending hours')).toContain('Quiet hours–22:00–06:00');
  await leadsTo('welcome_email', `/automations/${automation.id}`);
  await leadsTo('Goodbye', '/email-assets/a1');
});

it('it is applied after a question that has the numbers, and says so then', async () => {
  const { api } = openPlan({
    [APPLY]: () => {
      const applied = { ...plan, applied_at: '2026-01-05T09:00:00Z', applied_by: by };
      api.answer({ [ROUTE]: applied });
      return applied;
    },
  });
  await press('Apply');
  await shows(dialog().getByText(/^It makes 5 changes at once/));
  await shows(dialog().getByText(/Newly reached: 61 people, 4 more or less/));
  await pressInDialog('Cancel');
  await isGone(dialog());
  expect(api.changes()).toEqual([]);
  await press('Apply');
  await pressInDialog('Apply');
  await says(/^Applied by Anna on /);
  await isGone(button('Apply'));
  await leadsTo('welcome_email', `/automations/${automation.id}`);
  await isGone(link('Goodbye'));
  expect(api.changes()).toEqual([{ call: `POST /api/plans/${HASH}/apply`, body: {} }]);
});

it('what has changed since is named, and the plan stays', async () => {
  const text =
    'This has changed since the plan was made: automation welcome_email (active). Make a new plan.';
  openPlan({ [APPLY]: refusal(409, text) });
  await press('Apply');
  await pressInDialog('Apply');
  await warns(text);
  await shows(button('Apply'));
});

it('a plan of nothing cannot be applied', async () => {
  openPlan({ [ROUTE]: { ...plan, changes: [] } });
  await says('Nothing: everything is as it is desired already.');
  await isGone(button('Apply'));
});

it('who only reads sees a plan without the button', async () => {
  openPlan({ 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  await shows(heading('Plan 7d0c3b9e'));
  await isGone(button('Apply'));
});

it('a plan that has expired says so', async () => {
  openPlan({ [ROUTE]: refusal(404, 'There is no such plan: plans are kept for 24 hours.') });
  await says('There is no such plan any more: plans are kept for 24 hours.');
  await leadsTo('Go to automations', '/automations');
});
