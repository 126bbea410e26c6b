import * as z from 'zod/mini';
import { AutomationsInQuery } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { Comparisons, ComparisonsQuery } from './comparisons.ts';
import { PART_NAMES } from './email/content.ts';
import { MAILBOX_NAMES } from './mailbox.ts';
import { whole } from './page.ts';
import { PartTexts } from './part-texts.ts';
import { SORTED_BY } from './report/figures.ts';
import { type Range, rangeFault, SELECT_DATES } from './report/range.ts';
import type { RouteTable } from './route.ts';
import { WINDOWS } from './safeguards.ts';

/** Whether a text is a day of any year. Years that reports do not cover have an error of their own. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);
const date = (called: string) =>
  z.string({ error: SELECT_DATES }).check(
    z.refine(text => text !== '', { error: SELECT_DATES, abort: true }),
    z.refine(isDay, { error: `${called} must be a date, written as yyyy-MM-dd`, abort: true }),
  );

const RANGE = { start_date: date('start_date'), end_date: date('end_date') };

const range = z.check<Range>(({ value, issues }) => {
  const message = rangeFault(value);
  if (message) issues.push({ code: 'custom', input: value, path: ['end_date'], message });
});

export const CombinationsQuery = z
  .object({
    ...RANGE,
    sort_by: z._default(
      z.enum(SORTED_BY, { error: `sort_by must be one of ${SORTED_BY.join(', ')}` }),
      'sent',
    ),
    sort_direction: z._default(
      z.enum(['asc', 'desc'], { error: 'sort_direction must be asc or desc' }),
      'desc',
    ),
  })
  .check(range);
export type CombinationsQuery = z.infer<typeof CombinationsQuery>;

const TYPES = ['template', 'asset'] as const;
export const CombinationQuery = z
  .object({
    ...RANGE,
    /** The type that the caller expects. Only the id counts, and the response has the actual type. */
    type: z._default(z.enum(TYPES, { error: 'type must be template or asset' }), 'asset'),
  })
  .check(range);
export type CombinationQuery = z.infer<typeof CombinationQuery>;

const percentage = z.string();

export const Figures = z.object({
  sent: z.int(),
  opened: z.int(),
  /** Emails whose picture a machine loaded. They count as opened only if a person opened them too. */
  machine_opened: z.int(),
  clicked: z.int(),
  unsub_clicked: z.int(),
  unsubscribed: z.int(),
  bounced: z.int(),
  complained: z.int(),
  /** Emails after which their person converted, by calls that name the email or the person. */
  conversions: z.int(),
  open_rate: percentage,
  click_rate: percentage,
  unsub_click_rate: percentage,
  unsubscribe_rate: percentage,
  value: z.number(),
  /** With four decimals; 0 if the divisor is 0. */
  value_per_send: z.number(),
  value_per_click: z.number(),
});
export type Figures = z.infer<typeof Figures>;

/** What an email brings in, where amounts above a bound count as that. It holds on any day. */
const ValueRange = z.object({ from: z.number(), to: z.number() });
export type ValueRange = z.infer<typeof ValueRange>;

const Described = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  template_id: z.nullable(z.string()),
  template_name: z.nullable(z.string()),
  /** The number of the version of the template; absent if there is no other one. */
  version: z.optional(z.int()),
  /** For assets: whether all of them are active. */
  is_active: z.boolean(),
  /** For assets: whether one of them is deleted. Its texts are kept. */
  is_deleted: z.boolean(),
  can_edit: z.boolean(),
  asset_ids: z.partialRecord(z.enum(PART_NAMES), z.string()),
});

export const ReportRow = z.extend(Described, {
  /** The name of the template, or the names of the assets that have one. */
  combination: z.string(),
  ...Figures.shape,
  /** Null while too little is known, or where values were reported that name no email. */
  value_per_send_range: z.nullable(ValueRange),
  /** The automations that have sent it in the range: the ten that have sent most. Deleted ones are left out. */
  automation_ids: z.array(z.string()),
  assets: PartTexts,
});
export type ReportRow = z.infer<typeof ReportRow>;

/** The instant up to which everything is counted; null if the projector is not known to be behind. */
const countedUntil = z.nullable(z.iso.datetime());

export const CombinationsReport = z.object({
  start_date: z.string(),
  end_date: z.string(),
  sort: z.object({ by: z.enum(SORTED_BY), direction: z.enum(['asc', 'desc']) }),
  combinations: z.array(ReportRow),
  asset_names: z.record(z.string(), z.string()),
  automation_names: z.record(z.string(), z.string()),
  /** The totals of all combinations, including those that were left out. */
  totals: Figures,
  /** The amount that 99% of emails with conversions do not exceed. */
  value_bounded_at: z.nullable(z.number()),
  /** All emails by who runs the mailbox. Those from before this was counted are in the totals alone. */
  mailbox_providers: z.array(
    z.extend(z.pick(Figures, { sent: true, opened: true, clicked: true, bounced: true, complained: true }), {
      mailbox: z.enum(MAILBOX_NAMES),
    }),
  ),
  /** How many combinations do not fit the response: the last ones in its order. */
  left_out: z.int(),
  /** The length to which the texts of `assets` are cut, with an ellipsis; null if they are complete. */
  texts_cut_at: z.nullable(z.int()),
  counted_until: countedUntil,
});
export type CombinationsReport = z.infer<typeof CombinationsReport>;

export const Performance = z.object({
  start_date: z.string(),
  end_date: z.string(),
  days: z.array(
    z.object({ date: z.string(), sent: z.int(), opened: z.int(), clicked: z.int(), value: z.number() }),
  ),
  totals: Figures,
  /** The totals of the 30 days before. */
  previous: Figures,
  /** The combination that people click most often, even if its rate is at the lower end of its range. */
  best: z.nullable(
    z.object({
      id: z.string(),
      type: z.enum(TYPES),
      combination: z.string(),
      subject_line: z.nullable(z.string()),
      sent: z.int(),
      opened: z.int(),
      clicked: z.int(),
    }),
  ),
  counted_until: countedUntil,
});
export type Performance = z.infer<typeof Performance>;

const Totals = z.object({
  total_sent: z.int(),
  total_opened: z.int(),
  total_machine_opened: z.int(),
  total_clicked: z.int(),
  total_unsub_clicked: z.int(),
  total_unsubscribed: z.int(),
  total_bounced: z.int(),
  total_complained: z.int(),
  total_conversions: z.int(),
  value: z.number(),
});
export type Totals = z.infer<typeof Totals>;

const STATS = {
  /** For a range of more than 366 days, `daily_stats` has a row for each month, with `yyyy-MM` as its date. */
  stats_by: z.enum(['day', 'month']),
  daily_stats: z.array(z.extend(Totals, { date: z.string() })),
  /** As many days before the range, in the same order; none of a range that is by month. */
  previous_stats: z.array(z.extend(Totals, { date: z.string() })),
};

const DaysQuery = z.object(RANGE).check(range);

export const DaysReport = z.object({
  start_date: z.string(),
  end_date: z.string(),
  ...STATS,
  counted_until: countedUntil,
});
export type DaysReport = z.infer<typeof DaysReport>;

const RecentSend = z.object({
  id: z.string(),
  recipient: z.string(),
  list_member_id: z.nullable(z.string()),
  email_list: z.string(),
  automation: z.string(),
  sent_at: z.iso.datetime(),
  is_opened: z.boolean(),
  is_clicked: z.boolean(),
});
export type RecentSend = z.infer<typeof RecentSend>;

export const CombinationReport = z.object({
  type: z.enum(TYPES),
  start_date: z.string(),
  end_date: z.string(),
  combination: z.extend(Described, {
    name: z.string(),
    asset_names: z.partialRecord(z.enum(PART_NAMES), z.string()),
    ...PartTexts.shape,
  }),
  ...Totals.shape,
  value_per_send: z.number(),
  value_per_click: z.number(),
  ...STATS,
  recent_sends: z.array(RecentSend),
  /** Only emails that were due since then were read for them; null if none is missing. */
  recent_sends_since: z.nullable(z.iso.datetime()),
  counted_until: countedUntil,
});
export type CombinationReport = z.infer<typeof CombinationReport>;

export const AutomationReport = z.object({
  start_date: z.string(),
  end_date: z.string(),
  sent: z.int(),
  clicked: z.int(),
  conversions: z.int(),
  combinations: z.int(),
  /** Counted by combination: null if another automation has sent one of these too. */
  opened: z.nullable(z.int()),
  value: z.nullable(z.number()),
  counted_until: countedUntil,
});
export type AutomationReport = z.infer<typeof AutomationReport>;

/** A part of emails, or `template` where whole templates are chosen. */
const Kind = z.enum(['template', ...PART_NAMES]);

/** How much more it is, as a share, with a range that holds on any day. */
export const Gain = z.object({ estimate: z.number(), from: z.number(), to: z.number() });
export type Gain = z.infer<typeof Gain>;

export const SharesReport = z.object({
  /** Each day of the range up to today. */
  days: z.array(
    z.object({
      date: z.string(),
      /** Whether the shares of this day follow from results. Otherwise all content has the same. */
      by_results: z.boolean(),
      /** Of each kind of content the share of each id. Empty where the content of an earlier day is not known any more. */
      parts: z.partialRecord(Kind, z.record(z.string(), z.number())),
    }),
  ),
  /** How many more clicks the emails of these days got than they would have at equal shares; null while too few are known. */
  gain: z.nullable(Gain),
});
export type SharesReport = z.infer<typeof SharesReport>;

const MOST_DAYS = 90;

export const TotalsQuery = z.object({
  /** If omitted, all automations, steps of sequences included, and no broadcasts. */
  automations: z.optional(AutomationsInQuery),
  days: z._default(whole('days', MOST_DAYS), MOST_DAYS),
});
export type TotalsQuery = z.infer<typeof TotalsQuery>;

export const AutomationTotals = z.object({
  /** Those that exist, except for broadcasts that have not begun. */
  automations: z.array(
    z.object({
      automation_id: z.string(),
      /** The last days, 90 or as many as are asked for; of a broadcast its first 31. */
      start_date: z.string(),
      end_date: z.string(),
      sent: z.int(),
      clicked: z.int(),
      conversions: z.int(),
      /** Counted by combination: null if another automation has sent one of these too, on a day on which it was sent. */
      opened: z.nullable(z.int()),
      unsubscribed: z.nullable(z.int()),
      /** The same, but on any of these days. */
      value: z.nullable(z.number()),
    }),
  ),
  counted_until: countedUntil,
});
export type AutomationTotals = z.infer<typeof AutomationTotals>;
export type TotalsOfAutomation = AutomationTotals['automations'][number];

const Measured = z.object({
  held_out: z.number(),
  others: z.number(),
  held_out_per_person: z.nullable(z.number()),
  others_per_person: z.nullable(z.number()),
  /** Null while too little is known. */
  lift: z.nullable(Gain),
  people_needed: z.nullable(z.int()),
});
export type Measured = z.infer<typeof Measured>;

export const HoldoutReport = z.object({
  percent: z.int(),
  people: z.object({ held_out: z.int(), others: z.int() }),
  conversions: Measured,
  value: Measured,
  value_bounded_at: z.nullable(z.number()),
  clicks: Measured,
  unsubscribes: Measured,
});
export type HoldoutReport = z.infer<typeof HoldoutReport>;

const OrganizationHoldoutReport = z.omit(HoldoutReport, { clicks: true, unsubscribes: true });
export type OrganizationHoldoutReport = z.infer<typeof OrganizationHoldoutReport>;

export const EARNED_BY = ['value', 'clicks'] as const;
export type EarnedBy = (typeof EARNED_BY)[number];

export const SafeguardsReport = z.object({
  start_date: z.string(),
  end_date: z.string(),
  /** Only emails that were due since then were counted; null if all were. */
  counted_since: z.nullable(z.iso.datetime()),
  earned_by: z.enum(EARNED_BY),
  limits: z.array(
    z.object({
      limit: z.enum(WINDOWS.map(({ field }) => field)),
      /** That it held back. */
      emails: z.int(),
      /** Of these, those of automations that sent nothing in this time. Nothing is estimated of them. */
      unknown: z.int(),
      /** What the others would probably have earned, by what was sent of the same automations; null while too little is known. */
      earned: z.nullable(Gain),
      complained: z.nullable(Gain),
    }),
  ),
});
export type SafeguardsReport = z.infer<typeof SafeguardsReport>;

// biome-ignore format: a table of routes
export const reportingRoutes = {
  'GET /api/reporting/combinations': { id: 'reportCombinations', v1: true, mcp: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: CombinationsQuery, answer: CombinationsReport,
    summary: 'What happened to the emails of each combination that were sent from one UTC day to another' },
  'GET /api/reporting/combinations/{combination}': { id: 'reportCombination', v1: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: CombinationQuery, answer: CombinationReport,
    summary: 'The same of one combination, by day, with the newest emails' },
  'GET /api/reporting/days': { id: 'reportDays', v1: true, mcp: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: DaysQuery, answer: DaysReport,
    summary: 'What happened to all emails by the UTC day on which they were sent, and in as many days before' },
  'GET /api/reporting/performance': { id: 'reportPerformance', v1: true, mcp: true, permission: 'reports:read',
    budget: BUDGETS.home, answer: Performance,
    summary: 'What happened on each of the last 30 UTC days to the emails that were sent on it' },
  'GET /api/reporting/automations/{automation}': { id: 'reportAutomation', v1: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: DaysQuery, answer: AutomationReport,
    summary: 'What happened to the emails of an automation that were sent from one UTC day to another' },
  'GET /api/reporting/automations/{automation}/shares': { id: 'reportAutomationShares', v1: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: DaysQuery, answer: SharesReport,
    summary: 'How often each content of an automation is sent, by UTC day, and what it gains to send more of what works' },
  'GET /api/reporting/automations/{automation}/holdout': { id: 'reportAutomationHoldout', v1: true, permission: 'reports:read',
    budget: BUDGETS.predictions, answer: HoldoutReport,
    summary: 'What people do who are held out of an automation, and all others on its lists, with ranges that hold on any day' },
  'GET /api/reporting/holdout': { id: 'reportHoldout', v1: true, permission: 'reports:read',
    budget: BUDGETS.predictions, answer: OrganizationHoldoutReport,
    summary: 'What people do who get no emails of the organization, and all others, with ranges that hold on any day' },
  'GET /api/reporting/automations': { id: 'reportAutomationTotals', v1: true, mcp: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: TotalsQuery, answer: AutomationTotals,
    summary: 'What happened to the emails of some or all automations in the last days, and of some broadcasts in their first 31' },
  'GET /api/reporting/safeguards': { id: 'reportSafeguards', v1: true, permission: 'reports:read',
    budget: BUDGETS.reports, answer: SafeguardsReport,
    summary: 'How many emails each limit held back in 30 days, and what these would probably have earned' },
  'GET /api/reporting/comparisons': { id: 'compareCombinations', v1: true, mcp: true, permission: 'reports:read',
    budget: BUDGETS.reports, query: ComparisonsQuery, answer: Comparisons,
    summary: 'Whether the combinations of each automation, and the variants of their parts, differ in how often they are clicked, or lead to conversions' },
} as const satisfies RouteTable;
