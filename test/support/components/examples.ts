import type { Attention } from '#shared/attention.ts';
import type { Automation } from '#shared/automation.ts';
import type { AutomationContent } from '#shared/automation-content.ts';
import type { Broadcast } from '#shared/broadcast.ts';
import type { DryRun } from '#shared/dry-run.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import type { EmailAsset, EmailAssetDetail, EmailAssetRow } from '#shared/email-asset.ts';
import type { EmailTemplate, EmailTemplateDetail, EmailTemplateRow } from '#shared/email-template.ts';
import type { PersonExportPage } from '#shared/export.ts';
import { FIRST_STEPS, type FirstStep, type FirstSteps } from '#shared/first-steps.ts';
import type { Upcoming } from '#shared/forecast.ts';
import type { Invitation } from '#shared/invitation.ts';
import type { EmailList } from '#shared/list.ts';
import type { ListMember } from '#shared/list-member.ts';
import type { Member } from '#shared/member.ts';
import type { Organization } from '#shared/organization.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import { ratesOf, type SortedBy, unitsOf } from '#shared/report/figures.ts';
import { dayAfter, rangeBefore } from '#shared/report/range.ts';
import type {
  AutomationReport,
  CombinationReport,
  CombinationsReport,
  DaysReport,
  Figures,
  OrganizationHoldoutReport,
  Performance,
  RecentSend,
  ReportRow,
} from '#shared/reporting.ts';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { ANY_TIME, PLAIN } from '#shared/schedule.ts';
import type { EmailSend, EmailSendsPage } from '#shared/send.ts';
import { INITIAL_SENDING_HOURS } from '#shared/sending-hours.ts';
import type { Simulation } from '#shared/simulation.ts';
import type { ApiToken } from '#shared/token.ts';
import type { Delivery, UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import type { ActiveSession, User } from '#shared/user.ts';
import type { Answers } from './api.ts';

const created_at = '2026-01-05T08:00:00Z';

const each = <Key extends string, Value>(keys: readonly Key[], value: Value) =>
  Object.fromEntries(keys.map(key => [key, value])) as Record<Key, Value>;
const PART_NAMES = Object.keys(PARTS) as Part[];

export const user: User = { id: 'u1', name: 'Ada', email: 'ada@example.com', terms_accepted: true };

export const organization: Organization = {
  id: 1,
  name: 'Ada’s organization',
  logo: null,
  active: true,
  is_default: true,
  role: 'OWNER',
  currency: null,
};
export const depot: Organization = { ...organization, id: 2, name: 'Depot', is_default: false };

const none = { emails: 0, people_more: 0, people_fewer: 0 };
export const noEffect: DryRun = {
  next_24_hours: none,
  next_7_days: none,
  first_at: null,
  existing: 0,
  sampled: null,
  counted_share: 1,
};

export const noForecast = { days: [], total_count: 0, next_at: null, sampled: null, counted_share: 1 };

export const noContent: AutomationContent = {
  templates: [],
  assets: [],
  left_out: 0,
  combinations: 0,
  active: { templates: 0, assets: each(PART_NAMES, 0) },
};
export const noResults: AutomationReport = {
  start_date: '2026-10-25',
  end_date: '2026-11-23',
  sent: 0,
  clicked: 0,
  conversions: 0,
  combinations: 0,
  opened: 0,
  value: 0,
  counted_until: null,
};

const NO_DAYS = Array.from({ length: 30 }, (_, day) => ({
  date: dayAfter('2026-10-25', day),
  sent: 0,
  opened: 0,
  clicked: 0,
  value: 0,
}));
const COUNTS = [
  'sent',
  'opened',
  'machine_opened',
  'clicked',
  'unsub_clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'conversions',
] as const;
const NO_COUNTS = each(COUNTS, 0);

/** The last 30 days; `some` has those on which something was sent, by their index. */
export function performanceOf(
  some: Record<number, { sent: number; opened?: number; clicked?: number; value?: number }>,
): Performance {
  const days = NO_DAYS.map((day, at) => ({ ...day, ...some[at] }));
  const sum = (of: 'sent' | 'opened' | 'clicked' | 'value') =>
    days.reduce((total, day) => total + day[of], 0);
  const counts = { ...NO_COUNTS, sent: sum('sent'), opened: sum('opened'), clicked: sum('clicked') };
  return {
    start_date: '2026-10-25',
    end_date: '2026-11-23',
    days,
    counted_until: null,
    totals: { ...counts, ...ratesOf({ ...counts, value: unitsOf(sum('value')) }) },
    previous: { ...NO_COUNTS, ...ratesOf({ ...NO_COUNTS, value: 0 }) },
    best: null,
  };
}

export const firstSteps = (...done: FirstStep[]): FirstSteps => ({
  is_shown: true,
  is_dismissed: false,
  list_id: null,
  automation_id: null,
  steps: FIRST_STEPS.map(step => ({ step, is_done: done.includes(step) })),
});

const nothingDue = { count: 0, skipped: 0 };
export const upcoming: Upcoming = {
  next_24_hours: nothingDue,
  next_7_days: nothingDue,
  next_at: null,
  automations: [],
  sampled: null,
  counted_share: 1,
};
export const attention: Attention = {
  notices: [],
  left_out: 0,
  unchecked: [],
  start_date: '2026-11-17',
  end_date: '2026-11-23',
};
export const sendsPage = (data: EmailSend[], meta: Partial<EmailSendsPage['meta']> = {}): EmailSendsPage => ({
  data,
  meta: { current_page: 1, last_page: 1, searched_since: null, next: null, ...meta },
});

/** The responses for the home page of an organization that has finished its first steps and has no notices. */
const quietHome: Answers = {
  'GET /api/first-steps': {
    is_shown: false,
    is_dismissed: false,
    steps: [],
    list_id: null,
    automation_id: null,
  },
  'GET /api/attention': attention,
  'GET /api/upcoming': upcoming,
  'GET /api/reporting/performance': performanceOf({}),
  'GET /api/email-sends': sendsPage([]),
};

/** The responses that every page needs, and those that reports need besides their own. */
export const signedIn: Answers = {
  ...quietHome,
  'GET /api/user': user,
  'GET /api/organizations': [organization],
  'GET /api/email-lists/{list}/imports': [],
  'GET /api/email-lists/{list}/tracking-domain': {
    domain: 'link.example.com',
    status: 'unavailable',
    records: [],
    checked_at: null,
    message: 'This site has no domain of its own.',
  },
  'GET /api/user/invitations': { invitations: [] },
  // The preview of content looks as they say.
  'GET /api/email-lists': [],
  'GET /api/automations/{automation}': new Response('{}', { status: 404 }),
  'GET /api/look': { look: null },
  'GET /api/email-lists/{list}/look': { look: null, inherited: null },
  // The palette has them.
  'GET /api/broadcasts': [],
  'GET /api/sequences': [],
  'GET /api/organizations/{organization}/webhooks': [],
  'GET /api/automations-for-templates': [],
  'GET /api/organizations/{organization}/record': { data: [], next_cursor: null },
  'POST /api/automations/dry-run': noEffect,
  'POST /api/automations/forecast': {
    days: [],
    total_count: 42,
    next_at: null,
    sampled: null,
    counted_share: 1,
  },
  'PUT /api/automations/{automation}/dry-run': noEffect,
  'PUT /api/sequences/{sequence}/dry-run': noEffect,
  'PUT /api/safeguards/dry-run': noEffect,
  'GET /api/sending-hours': INITIAL_SENDING_HOURS,
  'GET /api/holdout': { percent: 0 },
  'PUT /api/sending-hours/dry-run': noEffect,
  'PUT /api/email-lists/{list}/dry-run': noEffect,
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': noEffect,
  'POST /api/content-links/dry-run': noEffect,
  'PUT /api/automations/{automation}/content/dry-run': noEffect,
  'GET /api/automations/{automation}/content': noContent,
  'GET /api/reporting/automations/{automation}': noResults,
  'GET /api/email-sends/skipped': { automations: [], counted_since: null },
  'GET /api/reporting/automations': { automations: [], counted_until: null },
  'GET /api/reporting/days': ({ query }) => daysReport(query),
  'GET /api/reporting/comparisons': {
    by: 'clicks',
    since: '2026-10-01',
    automations: [],
    not_compared: [],
    counted_until: null,
  },
};

/** The responses that the content field of an automation's form needs. */
export const noChoices: Answers = {
  'GET /api/email-templates': [],
  'GET /api/email-assets': { data: [], current_page: 1, last_page: 1, total: 0, found: 0 },
  'GET /api/email-templates-summary': { total: 0, found: 0, languages: [] },
};

export const member: Member = { ...user, role: 'OWNER', is_owner: true };
export const colleague: Member = {
  id: 'u2',
  name: 'Grace',
  email: 'grace@example.com',
  role: 'USER',
  is_owner: false,
};

export const session: ActiveSession = {
  id: 's1',
  device: 'Chrome on Linux',
  created_at,
  last_used_at: created_at,
  current: true,
};

export const token = (name: string): ApiToken => ({
  id: name,
  name,
  display_name: `lf_…${name}`,
  scopes: ['legacy'],
  max_people: null,
  connected_in: null,
  created_at,
  expires_at: null,
  last_used_at: null,
});

/** Further responses for the profile. */
export const profile: Answers = {
  'GET /api/tokens': { tokens: [] },
  'GET /api/user/sessions': { sessions: [session] },
};

export const list: EmailList = {
  id: 'l1',
  name: 'Customers',
  domain: 'example.com',
  active: true,
  members_count: 0,
  logo: null,
  public_name: null,
  time_zone: null,
  sender_name: 'The shop',
  sender_address: 'hello@example.com',
  unsubscribe_text: 'Unsubscribe',
  reply_to: null,
  provider: 'mailgun',
  second_provider: null,
  domain_verified: false,
  warm_up: 'off',
  warm_up_progress: null,
  mailgun_sending_key: null,
  mailgun_webhook_signing_key: null,
  mailgun_region: 'us',
  mailgun_connection_status: { last_tested_at: null, connection_valid: null },
  provider_events_url: 'https://example.com/provider-events/l1',
  total_members: 0,
  subscribed_members: 0,
  unsubscribed_members: 0,
  created_at,
};

const NEVER_TWICE = {
  double_send_first: false,
  triple_send_first: false,
  double_send_second: false,
  triple_send_second: false,
  double_send_third: false,
  triple_send_third: false,
};

export const webhook: UnsubscribeWebhook = {
  id: 'w1',
  name: 'Shop',
  url: 'https://example.com/hooks',
  active: true,
  parsed_headers: { Authorization: 'Defined' },
  events: ['unsubscribed'],
  last_triggered_at: null,
  failing_since: null,
  switched_off: null,
  old_secret_until: null,
  created_at: '2026-01-05T09:00:00Z',
};

export const delivery: Delivery = {
  id: '1767603600000-000000000000000000000001',
  event: 'unsubscribed',
  count: 1,
  created_at: '2026-01-05T09:00:00Z',
  attempted_at: '2026-01-05T09:00:01Z',
  state: 'delivered',
  attempt: 1,
  status_code: 204,
  duration_ms: 120,
  error: null,
  next_attempt_at: null,
};

export const automation: Automation = {
  id: 'a1',
  name: 'welcome',
  active: true,
  every_x_days: 1,
  delay_days: 0,
  stop_after_days: null,
  metadata_trigger: null,
  starts_at: 'added',
  sequence_id: null,
  email_lists: [],
  email_eligibility: {
    is_eligible: false,
    subject_line: false,
    pre_cta_content: false,
    cta_text: false,
    cta_url: false,
    footer: false,
  },
  created_at,
  audience: null,
  reply_to: null,
  allocation: 'equal',
  holdout_percent: 0,
  paused: null,
  warned: null,
  ...NEVER_TWICE,
  ...PLAIN,
  ...ANY_TIME,
};

/** A draft. */
export const broadcast: Broadcast = {
  id: 'B00000000001',
  name: 'Spring sale',
  status: 'draft',
  email_list_ids: ['list00000001'],
  email_lists: [{ id: 'list00000001', name: 'Customers', domain: 'example.com' }],
  audience: null,
  at: null,
  local_at: null,
  holdout_percent: 0,
  email_template_ids: ['template0001'],
  email_asset_ids: [],
  email_eligibility: { ...automation.email_eligibility, is_eligible: true },
  created_at,
  started_at: null,
  ended_at: null,
  paused: null,
  stopped: null,
  revision: 'first',
};

export const simulation: Simulation = {
  automation: automation.name,
  total_count: 1,
  first_emails: 1,
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

export const keyedList: EmailList = {
  ...list,
  mailgun_sending_key: 'Defined',
  mailgun_webhook_signing_key: 'Defined',
};

export const asset: EmailAsset = {
  id: 'e1',
  name: 'Spring',
  type: 'subject_line',
  value: 'Spring is here',
  is_active: true,
  version: 1,
  created_at,
  updated_at: created_at,
};
export const assetDetail: EmailAssetDetail = { emailAsset: asset, automations: [], versions: [] };
export const assetRow: EmailAssetRow = { ...asset, excerpt: asset.value, automations: [], versions: 1 };

export const template: EmailTemplate & EmailTemplateRow = {
  id: 't1',
  name: 'Welcome',
  subject_line: 'Welcome aboard',
  language_code: 'en',
  is_active: true,
  is_editable: true,
  version: 1,
  versions: 1,
  created_at,
  is_owner: true,
  can_edit: true,
  automations: [],
  preheader: null,
  pre_cta_content: 'Hello',
  cta_text: 'Look around',
  cta_url: 'https://example.com/start',
  after_cta_content: null,
  footer: 'Leave: {{UNSUB_LINK}}',
};
export const templateDetail: EmailTemplateDetail = {
  emailTemplate: template,
  automations: [],
  versions: [],
  is_owner: true,
  can_edit: true,
};

export const ada: ListMember = {
  id: 'm1',
  email: 'ada@example.com',
  email_list_id: list.id,
  email_list: { id: list.id, name: list.name },
  is_subscribed: true,
  created_at: '2026-01-05T08:00:00Z',
  updated_at: '2026-01-05T08:00:00Z',
  metadata: [],
  metadata_json: '{}',
  suppression: null,
};

/** What is stored about Ada, who is on these lists. */
export const storedPerson = (...lists: string[]): PersonExportPage => ({
  email: ada.email,
  suppression: null,
  erased_at: null,
  former_memberships: [],
  journal: [],
  emails: [],
  clicks: [],
  next_cursor: null,
  memberships: lists.map(list_name => ({
    list_id: list_name,
    list_name,
    is_subscribed: true,
    changed_by: null,
    metadata: { plan: 'gold' },
    created_at,
    updated_at: created_at,
  })),
});

export const invitation: Invitation = {
  id: 'i1',
  token: 't1',
  email: user.email,
  role: 'USER',
  invited_by: { name: 'Grace' },
  created_at: '2026-01-05T08:00:00Z',
  expires_at: '2126-01-12T08:00:00Z',
  organization: { name: 'Depot' },
};

export const send: EmailSend = {
  id: 's1',
  status: 'sent',
  reason: null,
  sent_at: '2026-01-05T08:00:00Z',
  email_list_id: list.id,
  email_list_name: list.name,
  automation_id: automation.id,
  automation_name: automation.name,
  combination_id: 'c1',
  subject: 'Welcome, Ada',
  recipient_email: ada.email,
  list_member_id: ada.id,
  is_opened: false,
  opened_at: null,
  is_clicked: false,
  first_clicked_at: null,
  unsubscribed_at: null,
  is_bounced: false,
  bounce_reason: null,
  is_complained: false,
  is_resent: false,
  provider: 'mailgun',
};

/** The last page of the sending log. */
export function reportRow(
  row: Partial<Omit<ReportRow, 'assets'>> & { assets?: Partial<PartTexts> },
): ReportRow {
  const counts = { ...NO_COUNTS, ...row };
  return {
    id: 'c1',
    type: 'template',
    template_id: 'c1',
    template_name: 'Welcome',
    combination: 'Welcome',
    is_active: true,
    is_deleted: false,
    can_edit: true,
    asset_ids: {},
    automation_ids: [],
    value_per_send_range: null,
    ...counts,
    ...ratesOf({ ...counts, value: unitsOf(row.value ?? 0) }),
    assets: { ...each(PART_NAMES, null), ...row.assets },
  };
}

export const reportOf = (query: URLSearchParams, combinations: ReportRow[]): CombinationsReport => ({
  start_date: query.get('start_date') ?? '',
  end_date: query.get('end_date') ?? '',
  sort: {
    by: (query.get('sort_by') ?? 'sent') as SortedBy,
    direction: query.get('sort_direction') === 'asc' ? 'asc' : 'desc',
  },
  combinations,
  totals: totalsOf(combinations),
  value_bounded_at: null,
  mailbox_providers: [],
  asset_names: {},
  automation_names: {},
  left_out: 0,
  texts_cut_at: null,
  counted_until: null,
});

function totalsOf(rows: ReportRow[]): Figures {
  const sum = (name: (typeof COUNTS)[number] | 'value') => rows.reduce((total, row) => total + row[name], 0);
  const counts = Object.fromEntries(COUNTS.map(name => [name, sum(name)])) as typeof NO_COUNTS;
  return { ...counts, ...ratesOf({ ...counts, value: unitsOf(sum('value')) }) };
}

/** The counts of a day, by the names that they have in the report of one combination. */
const totalsNamed = (counts: typeof NO_COUNTS & { value: number }) => ({
  total_sent: counts.sent,
  total_opened: counts.opened,
  total_machine_opened: counts.machine_opened,
  total_clicked: counts.clicked,
  total_unsub_clicked: counts.unsub_clicked,
  total_unsubscribed: counts.unsubscribed,
  total_bounced: counts.bounced,
  total_complained: counts.complained,
  total_conversions: counts.conversions,
  value: counts.value,
});

/** With all events on the last day of the range, and nothing in the one before. */
function statsOf(query: URLSearchParams, totals: ReturnType<typeof totalsNamed>) {
  const range = { start_date: query.get('start_date') ?? '', end_date: query.get('end_date') ?? '' };
  const nothing = totalsNamed({ ...NO_COUNTS, value: 0 });
  const stats = ({ start_date, end_date }: typeof range) => {
    const dates: string[] = [];
    for (let date = start_date; date <= end_date; date = dayAfter(date, 1)) dates.push(date);
    return dates.map(date => ({ date, ...(date === range.end_date ? totals : nothing) }));
  };
  return { stats_by: 'day' as const, daily_stats: stats(range), previous_stats: stats(rangeBefore(range)) };
}

/** What happened to all emails, by day. */
export const daysReport = (query: URLSearchParams, rows: ReportRow[] = []): DaysReport => ({
  start_date: query.get('start_date') ?? '',
  end_date: query.get('end_date') ?? '',
  ...statsOf(query, totalsNamed(totalsOf(rows))),
  counted_until: null,
});

/** The report of one combination in the requested range, with all events on its last day. */
export function combinationReport(
  query: URLSearchParams,
  row: ReportRow,
  recent_sends: RecentSend[] = [],
): CombinationReport {
  const [start_date, end_date] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
  const totals = totalsNamed(row);
  const { id, type, template_id, template_name, is_active, is_deleted, can_edit, asset_ids } = row;
  return {
    type,
    start_date,
    end_date,
    combination: {
      id,
      type,
      template_id,
      template_name,
      is_active,
      is_deleted,
      can_edit,
      asset_ids,
      asset_names: {},
      name: row.combination,
      ...row.assets,
    },
    ...totals,
    value_per_send: row.value_per_send,
    value_per_click: row.value_per_click,
    ...statsOf(query, totals),
    recent_sends,
    recent_sends_since: null,
    counted_until: null,
  };
}

/** Of an organization; more conversions are shown, and of value too little is known. */
export const holdoutReport: OrganizationHoldoutReport = {
  percent: 10,
  people: { held_out: 1_020, others: 9_080 },
  conversions: {
    held_out: 26,
    others: 282,
    held_out_per_person: 0.0255,
    others_per_person: 0.0311,
    lift: { estimate: 0.22, from: 0.04, to: 0.43 },
    people_needed: null,
  },
  value: {
    held_out: 3,
    others: 40,
    held_out_per_person: null,
    others_per_person: null,
    lift: null,
    people_needed: 5_200,
  },
  value_bounded_at: 180,
};
