import type { Broadcast, BroadcastForecast } from '#shared/broadcast.ts';
import type { TotalsOfAutomation } from '#shared/reporting.ts';
import type { Answers } from './api.ts';
import { list as anyList, template as anyTemplate, broadcast as draft, noContent } from './examples.ts';
import { open } from './render.tsx';

export const list = { ...anyList, id: draft.email_list_ids[0] ?? '' };
export const template = { ...anyTemplate, id: draft.email_template_ids[0] ?? '' };
export const ago = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
export const begun: Broadcast = { ...draft, status: 'sending', at: ago(1), started_at: ago(1) };
export const ended: Broadcast = { ...begun, status: 'sent', ended_at: ago(0.9) };
export const stopped: Broadcast = {
  ...begun,
  status: 'stopped',
  stopped: { reason: 'list_off', at: ago(1) },
};

export const forecast: BroadcastForecast = {
  people: 520,
  emails: 497,
  no_match: 20,
  days: 1,
  not_sent: { 'capped:max_emails_24_hours': 3 },
  not_subscribed: 12,
  sampled: null,
  counted_share: 1,
};
export const totals: TotalsOfAutomation = {
  automation_id: draft.id,
  start_date: '2030-01-01',
  end_date: '2030-01-31',
  sent: 200,
  clicked: 8,
  conversions: 0,
  opened: 40,
  unsubscribed: 2,
  value: 49.5,
};

export const PUT = 'PUT /api/broadcasts/{broadcast}';
export const PRO: Broadcast['audience'] = { all: [{ field: 'plan', op: 'is', value: 'pro' }] };
export const columns: Answers = {
  'GET /api/email-lists/{list}/metadata-columns': {
    columns: ['plan'],
    values: { plan: ['pro'] },
    searched: { members: 1, of: 1, complete: true },
  },
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'POST /api/audience/count': { matching: 1, of: 2, sampled: null },
};
export const answersOf = (broadcast: Broadcast): Answers => ({
  'GET /api/broadcasts': [broadcast],
  'GET /api/broadcasts/{broadcast}': broadcast,
  'GET /api/broadcasts/{broadcast}/forecast': forecast,
  'GET /api/automations/{automation}/content': noContent,
  'GET /api/reporting/automations': { automations: [totals], counted_until: null },
  'GET /api/email-lists': [list],
  'GET /api/email-templates': [template],
  'GET /api/email-templates-summary': { total: 1, found: 1, languages: ['en'] },
  [PUT]: ({ body }) => ({ ...broadcast, ...(body as Partial<Broadcast>) }),
});
export const openPage = (broadcast: Broadcast, answers: Answers = {}) =>
  open(`/broadcasts/${broadcast.id}`, { ...answersOf(broadcast), ...answers });
