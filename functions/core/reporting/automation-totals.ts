import * as automations from '#core/automation/automation.store.ts';
import type { StoredBroadcast } from '#core/automation/broadcast.store.ts';
import { isBroadcast } from '#core/id.ts';
import { inParallel } from '#core/parallel.ts';
import { invalid } from '#core/refusal.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import { getStored, type RawItem, type Table } from '#core/storage/table.store.ts';
import { BROADCAST_DAYS } from '#shared/limits.ts';
import { amountOf } from '#shared/report/figures.ts';
import { dayAfter } from '#shared/report/range.ts';
import type { AutomationTotals, TotalsOfAutomation, TotalsQuery } from '#shared/reporting.ts';
import { lastDays } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };
type Asked = { id: string; hash: string; days: rollup.Days };

const DAYS_OF_PART = 31;
const MOST_RANGES_AT_ONCE = 4;

/** One request for all automations, and a query for each month in which any of them is counted. */
export async function totalsOfAutomations(
  needs: Needs,
  organization: number,
  { automations: ids, days }: TotalsQuery,
): Promise<AutomationTotals> {
  const { table, now } = needs;
  const [stored, counted_until] = await Promise.all([
    ids
      ? getStored<automations.StoredAutomation>(
          table,
          ids.map(id => automations.key(organization, id)),
          { consistent: false },
        )
      : automations.readAll(table, organization),
    countedUntil(needs),
  ]);
  const asked = stored
    .map(automation => ({
      id: automation.id,
      hash: rollup.automationHash(automation.id),
      days: daysOf(automation, days, now),
    }))
    .filter(({ days: { from, to } }) => from <= to);
  const counts = new Counts(asked);
  await inParallel(joined(asked), MOST_RANGES_AT_ONCE, days =>
    rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
      for (const item of items) counts.add(item);
      if (!needs.hasTimeLeft()) throw tooMuch();
    }),
  );
  return { automations: asked.map(one => counts.totalsOf(one)), counted_until };
}

const tooMuch = () =>
  invalid('automations', 'There is too much to be read at once. Please ask for fewer automations.');

/** None if it has not begun. */
function daysOf(automation: automations.StoredAutomation, days: number, now: Date): rollup.Days {
  const { start_date, end_date } = lastDays(days, now);
  if (!isBroadcast(automation.id)) return { from: start_date, to: end_date };
  const { status, begins_at } = automation as StoredBroadcast;
  const from = status === 'draft' || !begins_at ? dayAfter(end_date, 1) : begins_at.slice(0, 10);
  const last = dayAfter(from, BROADCAST_DAYS - 1);
  const isOver = last < end_date;
  return { from, to: isOver ? last : end_date };
}

/** Ranges in which each day of all of them is once. */
function joined(asked: Asked[]): rollup.Days[] {
  const ranges: rollup.Days[] = [];
  for (const { from, to } of asked.map(({ days }) => days).sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = ranges.at(-1);
    if (!last || from > dayAfter(last.to, 1)) ranges.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return ranges;
}

type OfDay = { day: string; all: rollup.Sums; own: Map<string, rollup.OwnCounts> };

/** By combination and day, as opens, unsubscribes and value are counted. */
class Counts {
  readonly #days = new Map<string, OfDay[]>();
  /** By the hash of an automation. */
  readonly #combinations: Map<string, Set<string>>;

  constructor(asked: Asked[]) {
    this.#combinations = new Map(asked.map(({ hash }) => [hash, new Set()]));
  }

  add(item: RawItem): void {
    const day = rollup.dayOf(item);
    const sums = new Map<string, rollup.Sums>();
    rollup.addTo(sums, item);
    const byCombination = new Map<string, OfDay>();
    for (const [combination, all] of sums) {
      const ofDay: OfDay = { day, all, own: new Map() };
      byCombination.set(combination, ofDay);
      const days = this.#days.get(combination);
      if (days) days.push(ofDay);
      else this.#days.set(combination, [ofDay]);
    }
    for (const { automation, combination, counted, count } of rollup.countsByAutomation(item)) {
      const own = byCombination.get(combination)?.own;
      if (!own || !this.#combinations.get(automation)?.add(combination)) continue;
      const counts = own.get(automation) ?? rollup.noCounts();
      own.set(automation, { ...counts, [counted]: counts[counted] + count });
    }
  }

  totalsOf({ id, hash, days: { from, to } }: Asked): TotalsOfAutomation {
    const total = { ...rollup.noCounts(), opened: 0, unsubscribed: 0, value: 0 };
    let [isSharedOnItsDays, isShared] = [false, false];
    for (const combination of this.#combinations.get(hash) ?? []) {
      const days = (this.#days.get(combination) ?? []).filter(({ day }) => from <= day && day <= to);
      if (!days.some(({ own }) => own.has(hash))) continue;
      for (const { all, own } of days) {
        const counts = own.get(hash);
        const isSharedOnDay = all.sent > (counts?.sent ?? 0);
        isShared ||= isSharedOnDay;
        total.value += all.value;
        if (!counts) continue;
        isSharedOnItsDays ||= isSharedOnDay;
        total.sent += counts.sent;
        total.clicked += counts.clicked;
        total.conversions += counts.conversions;
        total.opened += all.opened;
        total.unsubscribed += all.unsubscribed;
      }
    }
    return {
      automation_id: id,
      start_date: from,
      end_date: to,
      sent: total.sent,
      clicked: total.clicked,
      conversions: total.conversions,
      opened: isSharedOnItsDays ? null : total.opened,
      unsubscribed: isSharedOnItsDays ? null : total.unsubscribed,
      value: isShared ? null : amountOf(total.value),
    };
  }
}
