import * as automations from '#core/automation/automation.store.ts';
import * as broadcasts from '#core/automation/broadcast.store.ts';
import type { Active } from '#core/organization/organization.ts';
import { invalid } from '#core/refusal.ts';
import { bounded, boundOf, dispersionOf, PARTS } from '#core/sending/amounts.ts';
import type { Sums } from '#core/sending/rollup.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { RawItem, Table } from '#core/storage/table.store.ts';
import type { Part } from '#shared/email/content.ts';
import { MAILBOX_NAMES } from '#shared/mailbox.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import { amountOf, compareBy, type Ranged, ratesOf, type SortedBy } from '#shared/report/figures.ts';
import { precision } from '#shared/report/precision.ts';
import { dayAfter, isByMonth, type Range, rangeBefore } from '#shared/report/range.ts';
import type {
  AutomationReport,
  CombinationsQuery,
  CombinationsReport,
  DaysReport,
  Figures,
  Performance,
  ReportRow,
  Totals,
  ValueRange,
} from '#shared/reporting.ts';
import { probably } from './allocation-model.ts';
import { type Described, described } from './described-combinations.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

export async function report(
  needs: Needs,
  active: Active,
  { start_date, end_date, sort_by, sort_direction }: CombinationsQuery,
  mostRows = MOST_ROWS,
): Promise<CombinationsReport> {
  const organization = active.organization.id;
  const [{ sums, byMailbox, senders, amounts }, named, counted_until] = await Promise.all([
    sumsOf(needs, organization, { from: start_date, to: end_date }),
    automationsByHash(needs.table, organization),
    countedUntil(needs),
  ]);
  const bound = boundOf([...amounts.values()].flat()) ?? null;
  const all = [...sums].map(([id, sums]) => {
    const value_per_send_range = rangeOfValue(amounts.get(id), sums, bound);
    return { id, sums: { ...sums, value_per_send_range } };
  });
  const shown = sorted(all, sort_by, sort_direction).slice(0, mostRows);
  const descriptions = await described(
    needs.table,
    active,
    shown.map(({ id }) => id),
  );
  const automation_names: Record<string, string> = {};
  const automationsOf = (combination: string) =>
    [...(senders.get(combination) ?? [])]
      .sort(([, a], [, b]) => b - a)
      .flatMap(([hash]) => named.get(hash) ?? [])
      .slice(0, MOST_AUTOMATIONS)
      .map(({ id, name }) => {
        automation_names[id] = name;
        return id;
      });
  const { rows, asset_names, texts_cut_at } = fitting(
    descriptions.map((row, index) => ({
      ...row,
      ...figuresOf(shown[index]?.sums ?? rollup.noSums()),
      value_per_send_range: shown[index]?.sums.value_per_send_range ?? null,
      automation_ids: automationsOf(row.id),
    })),
    automation_names,
  );
  return {
    start_date,
    end_date,
    sort: { by: sort_by, direction: sort_direction },
    combinations: rows,
    asset_names,
    automation_names,
    totals: figuresOf(rollup.total(sums.values())),
    value_bounded_at: bound && amountOf(Math.round(bound)),
    mailbox_providers: MAILBOX_NAMES.map(mailbox => {
      const { sent, opened, clicked, bounced, complained } = byMailbox.get(mailbox) ?? rollup.noSums();
      return { mailbox, sent, opened, clicked, bounced, complained };
    }),
    left_out: all.length - rows.length,
    texts_cut_at,
    counted_until,
  };
}

const MOST_AUTOMATIONS = 10;
// Of 10,000 broadcasts that an organization may have, an answer names the newest.
const MOST_BROADCASTS = 1_000;

async function automationsByHash(table: Table, organization: number) {
  const all = await Promise.all([
    automations.readAll(table, organization),
    broadcasts.readAll(table, organization, MOST_BROADCASTS),
  ]);
  return new Map(all.flat().map(({ id, name }) => [rollup.automationHash(id), { id, name }]));
}

// A longer range is read in parts of so many days, in parallel.
const DAYS_OF_PART = 92;

async function sumsOf({ table, hasTimeLeft }: Needs, organization: number, days: rollup.Days) {
  const sums = new Map<string, rollup.Sums>();
  const byMailbox = new Map<string, rollup.Sums>();
  /** How many emails of a combination were sent, by the hash of the automation. */
  const senders = new Map<string, Map<string, number>>();
  const amounts = new Map<string, rollup.AmountsOfPart[]>();
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    for (const item of items) {
      rollup.addTo(sums, item);
      rollup.addTo(byMailbox, item, rollup.mailboxIn);
      rollup.addAmounts(amounts, item);
      for (const { combination, automation, counted, count } of rollup.countsByAutomation(item)) {
        if (counted !== 'sent') continue;
        const counts = senders.get(combination) ?? new Map<string, number>();
        senders.set(combination, counts.set(automation, (counts.get(automation) ?? 0) + count));
      }
    }
    if (!hasTimeLeft()) throw tooMuch();
  });
  return { sums, byMailbox, senders, amounts };
}

export const tooMuch = () =>
  invalid('start_date', 'There is too much in this range to be read at once. Please choose a shorter one.');

/**
 * What an email brings in, with a range that holds on any day. People are the unit: how much their tenths differ multiplies the
 * variance. Null while too little is known, or where something was reported without its email.
 */
export function rangeOfValue(
  amounts: rollup.AmountsOfPart[] = [],
  { sent, value }: Pick<Sums, 'sent' | 'value'>,
  bound: number | null,
): ValueRange | null {
  const parts = Array.from({ length: PARTS }, () => 0);
  let named = 0;
  for (const { part, count, units } of amounts) {
    parts[part] = (parts[part] ?? 0) + count;
    named += units;
  }
  if (bound === null || named < value || sent === 0) return null;
  const { total, noise } = bounded(amounts, bound);
  const chance = dispersionOf([{ total: parts.reduce((sum, count) => sum + count, 0), parts }]);
  const earned = probably({ total, variance: total ** 2 * noise * chance });
  const amountByEmail = (units: number) => amountOf(Math.round(units / sent));
  return earned && { from: amountByEmail(earned.from), to: amountByEmail(earned.to) };
}

type Counted = { id: string; sums: Sums & Ranged };

/** Rows with equal figures are sorted by id. */
export function sorted<C extends Counted>(all: C[], by: SortedBy, direction: 'asc' | 'desc'): C[] {
  const byId = (a: C, b: C) => (a.id < b.id ? -1 : 1);
  return by === 'id'
    ? all.toSorted(direction === 'asc' ? byId : (a, b) => byId(b, a))
    : all.toSorted((a, b) => compareBy(by, direction, a.sums, b.sums) || byId(a, b));
}

// A longer range is read in parts of so many days, in parallel.
const DAYS_OF_AUTOMATION_PART = 31;

/** Opens and value are counted by combination only: they are null if another automation has sent the same combinations. */
export async function ofAutomation(
  needs: Needs,
  { organization_id, id }: { organization_id: number; id: string },
  { start_date, end_date }: Range,
): Promise<AutomationReport> {
  const hash = rollup.automationHash(id);
  const sums = new Map<string, rollup.Sums>();
  const own = new Map<string, rollup.OwnCounts>();
  const range = { from: start_date, to: end_date };
  const [counted_until] = await Promise.all([
    countedUntil(needs),
    rollup.readInParts(needs.table, organization_id, range, DAYS_OF_AUTOMATION_PART, items => {
      for (const item of items) {
        rollup.addTo(sums, item);
        for (const { automation, combination, counted, count } of rollup.countsByAutomation(item)) {
          if (automation !== hash) continue;
          const counts = own.get(combination) ?? rollup.noCounts();
          counts[counted] += count;
          own.set(combination, counts);
        }
      }
      if (!needs.hasTimeLeft()) throw tooMuch();
    }),
  ]);
  const sumsOf = (combination: string) => sums.get(combination) ?? rollup.noSums();
  const isShared = [...own].some(([combination, { sent }]) => sumsOf(combination).sent > sent);
  const total = rollup.total([...own.keys()].map(sumsOf));
  const sum = (counted: keyof rollup.OwnCounts) =>
    [...own.values()].reduce((all, counts) => all + counts[counted], 0);
  return {
    start_date,
    end_date,
    sent: sum('sent'),
    clicked: sum('clicked'),
    conversions: sum('conversions'),
    combinations: [...own.values()].filter(({ sent }) => sent > 0).length,
    opened: isShared ? null : total.opened,
    value: isShared ? null : amountOf(total.value),
    counted_until,
  };
}

/** Unless another range is chosen. */
export const RECENT_DAYS = 30;

/** Today is the last one. */
export function lastDays(count: number, now: Date): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

export async function performance(needs: Omit<Needs, 'hasTimeLeft'>, active: Active): Promise<Performance> {
  const range = lastDays(RECENT_DAYS, needs.now);
  const before = rangeBefore(range);
  const combinations = new Map<string, Sums>();
  const [sums, counted_until] = await Promise.all([
    sumsByDay(needs, active.organization.id, { ...range, start_date: before.start_date }, item => {
      if (rollup.dayOf(item) >= range.start_date) rollup.addTo(combinations, item);
    }),
    countedUntil(needs),
  ]);
  const total = (dates: string[]) =>
    figuresOf(rollup.total(dates.map(date => sums.get(date) ?? rollup.noSums())));
  return {
    ...range,
    days: datesOf(range).map(date => {
      const { sent, opened, clicked, value } = sums.get(date) ?? rollup.noSums();
      return { date, sent, opened, clicked, value: amountOf(value) };
    }),
    totals: total(datesOf(range)),
    previous: total(datesOf(before)),
    best: await bestOf(needs.table, active, combinations),
    counted_until,
  };
}

/** Of few emails, a high rate may be chance: it is the lower end of its 95% interval that counts. */
async function bestOf(table: Table, active: Active, combinations: ReadonlyMap<string, Sums>) {
  const least = ({ clicked, sent }: Sums) => precision(Math.min(clicked, sent), sent).low;
  const [best] = [...combinations]
    .filter(([, { clicked, sent }]) => Math.min(clicked, sent) > 0)
    .sort(([, a], [, b]) => least(b) - least(a));
  if (!best) return null;
  const [id, { sent, opened, clicked }] = best;
  const [found] = await described(table, active, [id]);
  const { type = 'asset', combination = '', assets } = found ?? {};
  return { id, type, combination, subject_line: assets?.subject_line ?? null, sent, opened, clicked };
}

export async function byDay(
  needs: Needs,
  organization: number,
  { start_date, end_date }: Range,
): Promise<DaysReport> {
  const range = { start_date, end_date };
  const [sums, counted_until] = await Promise.all([
    sumsByDay(needs, organization, withBefore(range)),
    countedUntil(needs),
  ]);
  return { ...range, ...statsOf(range, sums), counted_until };
}

/** With the days before it that it is compared with. */
export const withBefore = (range: Range): Range =>
  isByMonth(range) ? range : { ...range, start_date: rangeBefore(range).start_date };

export function datesOf({ start_date, end_date }: Range): string[] {
  const dates: string[] = [];
  for (let day = start_date; day <= end_date; day = dayAfter(day, 1)) dates.push(day);
  return dates;
}

/** Each day of the range and of those before it, also those on which nothing happened. A long range is by month. */
export function statsOf(
  range: Range,
  sums: ReadonlyMap<string, Sums>,
): Pick<DaysReport, 'stats_by' | 'daily_stats' | 'previous_stats'> {
  const on = (date: string) => sums.get(date) ?? rollup.noSums();
  const days = (dates: string[]) => dates.map(date => ({ date, ...totalsOf(on(date)) }));
  if (!isByMonth(range))
    return {
      stats_by: 'day',
      daily_stats: days(datesOf(range)),
      previous_stats: days(datesOf(rangeBefore(range))),
    };
  const months = Map.groupBy(datesOf(range), date => date.slice(0, 'yyyy-mm'.length));
  return {
    stats_by: 'month',
    daily_stats: [...months].map(([date, dates]) => ({ date, ...totalsOf(rollup.total(dates.map(on))) })),
    previous_stats: [],
  };
}

export const totalOf = async (table: Table, organization: number, range: Range): Promise<rollup.Sums> =>
  rollup.total((await sumsByDay({ table }, organization, range)).values());

/** A month is read in one query. */
async function sumsByDay(
  { table, hasTimeLeft = () => true }: Pick<Needs, 'table'> & Partial<Needs>,
  organization: number,
  { start_date, end_date }: Range,
  also: (item: RawItem) => void = () => undefined,
): Promise<Map<string, rollup.Sums>> {
  const sums = new Map<string, rollup.Sums>();
  const days = { from: start_date, to: end_date };
  await rollup.readInParts(table, organization, days, RECENT_DAYS, items => {
    for (const item of items) {
      const day = rollup.dayOf(item);
      rollup.addTo(sums, item, field => rollup.combinationOf(field) && day);
      also(item);
    }
    if (!hasTimeLeft()) throw tooMuch();
  });
  return sums;
}

export const figuresOf = (sums: Sums): Figures => {
  const { value: _, reported: __, ...counts } = sums;
  return { ...counts, ...ratesOf(sums) };
};

export const totalsOf = (sums: Sums): Totals => ({
  total_sent: sums.sent,
  total_opened: sums.opened,
  total_machine_opened: sums.machine_opened,
  total_clicked: sums.clicked,
  total_unsub_clicked: sums.unsub_clicked,
  total_unsubscribed: sums.unsubscribed,
  total_bounced: sums.bounced,
  total_complained: sums.complained,
  total_conversions: sums.conversions,
  value: amountOf(sums.value),
});

// 6 MB, with the body as a JSON string: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const MOST_BYTES = 5_900_000;
const MOST_WITHOUT_TEXTS = 5_000_000;
const MOST_ROWS = 5_000;

const CUTS = [2_000, 500, 200, 100, 50, 20, 10, 0];

type NamedRow = ReportRow & Pick<Described, 'asset_names'>;
type Fitting = Pick<CombinationsReport, 'asset_names' | 'texts_cut_at'> & { rows: ReportRow[] };

export function fitting(all: NamedRow[], automation_names: Record<string, string> = {}): Fitting {
  let named = all.slice(0, MOST_ROWS);
  let most = MOST_BYTES;
  for (;;) {
    const rest = named.map(({ assets: _, asset_names: __, ...row }) => row);
    const taken = bytesOf(rest) + bytesOf(namesIn(named)) + bytesOf(automation_names);
    most = MOST_BYTES - taken;
    if (taken <= MOST_WITHOUT_TEXTS) break;
    named = named.slice(0, Math.floor((named.length * MOST_WITHOUT_TEXTS) / taken));
  }
  const asset_names = namesIn(named);
  const rows = named.map(({ asset_names: _, ...row }) => row);
  if (textsFit(rows, most)) return { rows, asset_names, texts_cut_at: null };
  const texts_cut_at = CUTS.find(length => textsFit(rows, most, length)) ?? 0;
  const shorter = rows.map(row => ({ ...row, assets: cut(row.assets, texts_cut_at) }));
  return { rows: shorter, asset_names, texts_cut_at };
}

/** Combinations share assets: each is named once. */
export const namesIn = (rows: Pick<Described, 'asset_ids' | 'asset_names'>[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ asset_ids, asset_names }) =>
      Object.entries(asset_names).map(([part, name]) => [asset_ids[part as Part], name]),
    ),
  );

function textsFit(rows: ReportRow[], most: number, length = Number.POSITIVE_INFINITY): boolean {
  let bytes = 0;
  return rows.every(({ assets }) => {
    bytes += bytesOf(length < Number.POSITIVE_INFINITY ? cut(assets, length) : assets);
    return bytes <= most;
  });
}

// Escaped twice: the body is a string within the JSON of the response.
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

const cut = (texts: PartTexts, length: number) =>
  Object.fromEntries(
    Object.entries(texts).map(([part, text]) => [part, text === null ? null : shortened(text, length)]),
  ) as PartTexts;

export const shortened = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
