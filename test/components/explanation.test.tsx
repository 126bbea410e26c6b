import { expect, it } from 'vitest';
import type { Explanation } from '#shared/explanation.ts';
import { DOWN } from '../support/components/api.ts';
import { ada, automation } from '../support/components/examples.ts';
import { field, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const explanation: Explanation = {
  automation: { id: automation.id, name: automation.name },
  trigger_column: 'signed_up_at',
  trigger_value: '2026-03-01T10:00:00Z',
  obstacles: [],
  next: { due_at: '2026-03-04T10:00:00Z', number: 4, copy: 1, held_since: null, skipped: null },
  past: [
    {
      due_at: '2026-03-03T10:00:00Z',
      number: 3,
      copy: 1,
      status: 'skipped',
      reason: 'capped:max_emails_24_hours',
      sent_at: null,
      other_list: null,
    },
    {
      due_at: '2026-03-02T10:00:00Z',
      number: 2,
      copy: 1,
      status: 'unrecorded',
      reason: null,
      sent_at: null,
      other_list: null,
    },
    {
      due_at: '2026-03-01T10:00:00Z',
      number: 1,
      copy: 1,
      status: 'sent',
      reason: null,
      sent_at: '2026-03-01T10:00:30Z',
      other_list: 'Customers',
    },
  ],
  since: '2026-02-20T08:00:00Z',
  switched: [{ at: '2026-02-28T08:00:00Z', what: 'automation', on: true, by: 'Grace' }],
};
const other = { id: 'a2', name: 'trial_ends' };
const EXPLANATION = 'GET /api/list-members/{listMember}/automations/{automation}';

const openMember = (found: Partial<Explanation> = {}, path = '/list-members/m1') =>
  open(path, {
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [{ id: automation.id, name: automation.name }, other],
    [EXPLANATION]: { ...explanation, ...found },
  });

it('an automation is chosen, and the page says what became of each email that was due', async () => {
  const { api, router } = openMember();
  await field('Automation').selectOptions(automation.name);
  await says('The member had as many emails as the safeguards allow within 24 hours.');
  await says(/^Nothing is recorded of it/);
  await says(/^From the list Customers/);
  await says('Mar 4, 2026, 10:00 UTC (email 4)');
  await says('signed_up_at: Mar 1, 2026, 10:00 UTC');
  await says('Feb 28, 2026, 08:00 UTC: automation on, by Grace');
  expect(router.state.location.search).toBe(`?automation=${automation.id}`);
  expect(api.count(`GET /api/list-members/m1/automations/${automation.id}`)).toBe(1);
});

it('the automation that the address names is explained, with all that is in its way', async () => {
  openMember({ obstacles: ['automation_off', 'no_key'] }, `/list-members/m1?automation=${automation.id}`);
  await says('the automation is not active');
  await says('the list has no sending key');
  await says('Mar 4, 2026, 10:00 UTC (email 4), if nothing were in the way');
});

it('the only automation is explained at once, and the safeguards that would skip its next email are named', async () => {
  const next = { ...explanation.next, skipped: 'capped:max_emails_1_week' } as Explanation['next'];
  const { api } = openMember({ next, past: [], switched: [] });
  api.answer({ 'GET /api/automations-for-templates': [other] });
  await says(/As things are, it would be skipped: the member had as many emails/);
  await says('Nothing was due yet');
});

it('what could not be loaded can be tried again', async () => {
  const { api } = openMember();
  api.answer({ [EXPLANATION]: DOWN });
  await field('Automation').selectOptions(other.name);
  await says('This could not be loaded.');
  api.answer({ [EXPLANATION]: { ...explanation, next: null, obstacles: ['over'] } });
  await press('Try again');
  await says('Nothing is sent: the schedule of the automation has ended for this member.');
});

it('where there is no automation yet, the page says what one does', async () => {
  const { api } = openMember();
  api.answer({ 'GET /api/automations-for-templates': [] });
  await says('No automations yet');
});

it('an email that waits for the end of quiet hours says from when until when', async () => {
  const next = { ...explanation.next, held_since: '2026-03-03T22:30:00Z' } as Explanation['next'];
  const { api } = openMember({ next });
  api.answer({ 'GET /api/automations-for-templates': [other] });
  await says(
    'Mar 4, 2026, 10:00 UTC (email 4). It waits from Mar 3, 2026, 22:30 UTC until then, for quiet hours to end.',
  );
});
