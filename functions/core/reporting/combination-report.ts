import * as combinations from '#core/content/combination.ts';
import type { Active } from '#core/organization/organization.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { Refusal } from '#core/refusal.ts';
import * as log from '#core/sending/log/log.ts';
import type { Days } from '#core/sending/rollup.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { MOST_RECENT } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationQuery, CombinationReport, RecentSend } from '#shared/reporting.ts';
import { described } from './described-combinations.ts';
import { datesOf, figuresOf, statsOf, totalsOf, withBefore } from './report.ts';

export type FoundCombination = { active: Active; choice: combinations.Choice };

export const keysOf = combinations.keysOf;

export function found(active: Active, items: Item[]): FoundCombination {
  const choice = combinations.foundIn(items);
  if (choice) return { active, choice };
  throw new Refusal('not-found', 'There is no such combination.');
}

export async function reportOf(
  { table, now }: { table: Table; now: Date },
  { active, choice: { id } }: FoundCombination,
  { start_date, end_date }: CombinationQuery,
): Promise<CombinationReport> {
  const organization = active.organization.id;
  const range = { start_date, end_date };
  const [days, [description], recent, counted_until] = await Promise.all([
    daysOf(table, organization, id, withBefore(range)),
    described(table, active, [id]),
    recentSends({ table, now }, organization, id, { from: start_date, to: end_date }),
    countedUntil({ table, now }),
  ]);
  if (!description) throw new Error(`Combination ${id} is not described`);
  const { combination: name, assets, ...what } = description;
  const sums = rollup.total(datesOf(range).flatMap(date => days.get(date) ?? []));
  const { value_per_send, value_per_click } = figuresOf(sums);
  return {
    type: what.type,
    start_date,
    end_date,
    combination: { ...what, name, ...assets },
    ...totalsOf(sums),
    value_per_send,
    value_per_click,
    ...statsOf(range, days),
    recent_sends: recent.sends,
    recent_sends_since: recent.since,
    counted_until,
  };
}

// The keys of one request.
const AT_ONCE = 100;
const MOST_REQUESTS = 10;

async function daysOf(
  table: Table,
  organization: number,
  id: string,
  range: Range,
): Promise<Map<string, rollup.Sums>> {
  const parts = await inParallel(chunksOf(datesOf(range), AT_ONCE), MOST_REQUESTS, days =>
    rollup.readCounts(table, organization, days, id),
  );
  const stored = parts.flatMap(part => [...part]);
  return new Map(stored.map(([date, counts]) => [date, { ...rollup.noSums(), ...counts.get(id) }]));
}

/** As far as one page of the log reaches. */
async function recentSends(
  needs: { table: Table; now: Date },
  organization: number,
  combination: string,
  { from, to }: Days,
): Promise<{ sends: RecentSend[]; since: string | null }> {
  const { data, meta } = await log.page(needs, organization, {
    page: 1,
    per_page: MOST_RECENT,
    status: 'sent',
    combination,
    from,
    to,
  });
  return {
    sends: data
      .map(send => ({
        id: send.id,
        recipient: send.recipient_email,
        list_member_id: send.list_member_id,
        email_list: send.email_list_name,
        automation: send.automation_name,
        sent_at: send.sent_at,
        is_opened: send.is_opened,
        is_clicked: send.is_clicked,
      }))
      .sort((a, b) => (a.sent_at === b.sent_at ? 0 : a.sent_at < b.sent_at ? 1 : -1)),
    since: data.length < MOST_RECENT ? meta.searched_since : null,
  };
}
