import * as automations from '#core/automation/automation.store.ts';
import * as lists from '#core/list/list.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import type { Active } from '#core/organization/organization.ts';
import * as reports from '#core/reporting/report/performance.ts';
import * as batches from '#core/sending/batch/batch.store.ts';
import * as sweep from '#core/sending/sweep/sweep.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import { ATTENTION_DAYS, type Attention } from '#shared/attention.ts';
import type { Range } from '#shared/report/range.ts';
import { type Facts, noticesOf } from './checks.ts';

type Needs = { table: Table; now: Date };

/** More notices would need pages, and the pages of lists, automations and the log show the same. */
const MOST_NOTICES = 20;

/** The notices of what keeps an organization from sending, or puts its sending at risk. */
export async function attention(needs: Needs, { organization }: Active): Promise<Attention> {
  const range = reports.lastDays(ATTENTION_DAYS, needs.now);
  const notices = noticesOf(await readFacts(needs.table, organization, range));
  return {
    notices: notices.slice(0, MOST_NOTICES),
    left_out: Math.max(0, notices.length - MOST_NOTICES),
    ...range,
  };
}

/** How many are read: of more, the first webhooks and the newest batches. */
const MOST_WEBHOOKS = 200;
const MOST_UNKNOWN_BATCHES = 500;

/**
 * Reads each kind of fact with one query, whatever the number of emails and members: docs/table.md lists what each reads.
 * There are at most 1,000 lists and 1,000 automations, of which 100 are active.
 */
async function readFacts(table: Table, organization: Active['organization'], range: Range): Promise<Facts> {
  const { id } = organization;
  const [allLists, active, hooks, unknown, behindSince, sums] = await Promise.all([
    lists.readAllUncounted(table, id),
    readActive(table, id),
    webhooks.readFirst(table, id, MOST_WEBHOOKS),
    batches.countUnknown(table, id, range.start_date, MOST_UNKNOWN_BATCHES),
    sweep.behindSince(table, id),
    reports.totalOf(table, id, range),
  ]);
  return { organization, lists: allLists, ...active, webhooks: hooks, unknown, behindSince, sums };
}

async function readActive(table: Table, organization: number) {
  const active = (await automations.readAll(table, organization)).filter(one => one.active);
  const linked = await automations.readLinked(
    table,
    organization,
    active.map(({ id }) => id),
  );
  return { automations: active, linked };
}
