import { sharesReport } from '#core/reporting/allocation.ts';
import { totalsOfAutomations } from '#core/reporting/automation-totals.ts';
import * as combinationStore from '#core/reporting/combination-report.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import { liftOfAutomation, liftOfOrganization } from '#core/reporting/lift.ts';
import { safeguardsReport } from '#core/reporting/limits.ts';
import * as reports from '#core/reporting/report.ts';
import { reportingRoutes } from '#shared/reporting.ts';
import { automation, combination } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  reportingRoutes,
  {
    'GET /api/reporting/combinations': ({ active, query, now, hasTimeLeft }) =>
      reports.report({ table, now, hasTimeLeft }, active, query),
    'GET /api/reporting/combinations/{combination}': ({ combination, query, now }) =>
      combinationStore.reportOf({ table, now }, combination, query),
    'GET /api/reporting/days': ({ active, query, now, hasTimeLeft }) =>
      reports.byDay({ table, now, hasTimeLeft }, active.organization.id, query),
    'GET /api/reporting/performance': ({ active, now }) => reports.performance({ table, now }, active),
    'GET /api/reporting/automations/{automation}': ({ automation, query, now, hasTimeLeft }) =>
      reports.ofAutomation({ table, now, hasTimeLeft }, automation, query),
    'GET /api/reporting/automations/{automation}/shares': ({ automation, query, now, hasTimeLeft }) =>
      sharesReport({ table, now, hasTimeLeft }, automation, query),
    'GET /api/reporting/automations/{automation}/holdout': ({ automation, now, hasTimeLeft }) =>
      liftOfAutomation({ table, now, hasTimeLeft }, automation),
    'GET /api/reporting/holdout': ({ active, now, hasTimeLeft }) =>
      liftOfOrganization({ table, now, hasTimeLeft }, active.organization),
    'GET /api/reporting/automations': ({ active, query, now, hasTimeLeft }) =>
      totalsOfAutomations({ table, now, hasTimeLeft }, active.organization.id, query),
    'GET /api/reporting/safeguards': ({ active, now, hasTimeLeft }) =>
      safeguardsReport({ table, now, hasTimeLeft }, active.organization.id),
    'GET /api/reporting/comparisons': ({ active, query, now, hasTimeLeft }) =>
      comparisons({ table, now, hasTimeLeft }, active, query),
  },
  { automation, combination },
);
