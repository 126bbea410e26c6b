import * as rollupStore from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import { amountOf } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { AutomationReport } from '#shared/reporting.ts';
import { tooMuch } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

// A longer range is read in parts of so many days, in parallel.
const DAYS_OF_PART = 31;

/**
 * What happened to the emails of an automation in a range of days. Sent and clicked emails are counted by automation. Opens
 * and value are counted by combination only, so they are null if another automation has sent the same combinations.
 */
export async function ofAutomation(
  needs: Needs,
  { organization_id, id }: { organization_id: number; id: string },
  { start_date, end_date }: Range,
): Promise<AutomationReport> {
  const hash = rollupStore.automationHash(id);
  const sums = new Map<string, rollupStore.Sums>();
  const own = new Map<string, { sent: number; clicked: number }>();
  const range = { from: start_date, to: end_date };
  const [counted_until] = await Promise.all([
    countedUntil(needs),
    rollupStore.readInParts(needs.table, organization_id, range, DAYS_OF_PART, items => {
      for (const item of items) {
        rollupStore.addTo(sums, item);
        for (const { automation, combination, counted, count } of rollupStore.countsByAutomation(item)) {
          if (automation !== hash) continue;
          const counts = own.get(combination) ?? { sent: 0, clicked: 0 };
          counts[counted] += count;
          own.set(combination, counts);
        }
      }
      if (!needs.hasTimeLeft()) throw tooMuch();
    }),
  ]);
  const sumsOf = (combination: string) => sums.get(combination) ?? rollupStore.noSums();
  const isShared = [...own].some(([combination, { sent }]) => sumsOf(combination).sent > sent);
  const total = rollupStore.total([...own.keys()].map(sumsOf));
  const sum = (counted: 'sent' | 'clicked') => [...own.values()].reduce((all, one) => all + one[counted], 0);
  return {
    start_date,
    end_date,
    sent: sum('sent'),
    clicked: sum('clicked'),
    combinations: [...own.values()].filter(({ sent }) => sent > 0).length,
    opened: isShared ? null : total.opened,
    value: isShared ? null : amountOf(total.value),
    counted_until,
  };
}
