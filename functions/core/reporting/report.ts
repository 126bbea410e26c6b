import type { Active } from '#core/organization/organization.ts';
import { invalid } from '#core/refusal.ts';
import type { Sums } from '#core/sending/rollup.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Part } from '#shared/email/content.ts';
import { MAILBOX_NAMES } from '#shared/mailbox.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import { amountOf, compareBy, ratesOf, type SortedBy } from '#shared/report/figures.ts';
import { dayAfter, type Range } from '#shared/report/range.ts';
import type {
  AutomationReport,
  CombinationsQuery,
  CombinationsReport,
  Figures,
  Performance,
  ReportRow,
  Totals,
} from '#shared/reporting.ts';
import { type Described, described } from './described-combinations.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

export async function report(
  needs: Needs,
  active: Active,
  { start_date, end_date, sort_by, sort_direction }: CombinationsQuery,
): Promise<CombinationsReport> {
  const organization = active.organization.id;
  const [{ sums, byMailbox }, counted_until] = await Promise.all([
    sumsOf(needs, organization, { from: start_date, to: end_date }),
    countedUntil(needs),
  ]);
  const all = [...sums].map(([id, sums]) => ({ id, sums }));
  const shown = sorted(all, sort_by, sort_direction).slice(0, MOST_DESCRIBED);
  const descriptions = await described(
    needs.table,
    active,
    shown.map(({ id }) => id),
  );
  const { rows, asset_names, texts_cut_at } = fitting(
    descriptions.map((row, index) => ({ ...row, ...figuresOf(shown[index]?.sums ?? rollup.noSums()) })),
  );
  return {
    start_date,
    end_date,
    sort: { by: sort_by, direction: sort_direction },
    combinations: rows,
    asset_names,
    totals: figuresOf(rollup.total(sums.values())),
    mailbox_providers: MAILBOX_NAMES.map(mailbox => {
      const { sent, opened, clicked, bounced, complained } = byMailbox.get(mailbox) ?? rollup.noSums();
      return { mailbox, sent, opened, clicked, bounced, complained };
    }),
    left_out: all.length - rows.length,
    texts_cut_at,
    counted_until,
  };
}

const MOST_DESCRIBED = 5_000;

// A longer range is read in parts of so many days, in parallel.
const DAYS_OF_PART = 92;

async function sumsOf({ table, hasTimeLeft }: Needs, organization: number, days: rollup.Days) {
  const sums = new Map<string, rollup.Sums>();
  const byMailbox = new Map<string, rollup.Sums>();
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    for (const item of items) {
      rollup.addTo(sums, item);
      rollup.addTo(byMailbox, item, rollup.mailboxIn);
    }
    if (!hasTimeLeft()) throw tooMuch();
  });
  return { sums, byMailbox };
}

const tooMuch = () =>
  invalid('start_date', 'There is too much in this range to be read at once. Please choose a shorter one.');

type Counted = { id: string; sums: Sums };

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
  const own = new Map<string, { sent: number; clicked: number }>();
  const range = { from: start_date, to: end_date };
  const [counted_until] = await Promise.all([
    countedUntil(needs),
    rollup.readInParts(needs.table, organization_id, range, DAYS_OF_AUTOMATION_PART, items => {
      for (const item of items) {
        rollup.addTo(sums, item);
        for (const { automation, combination, counted, count } of rollup.countsByAutomation(item)) {
          if (automation !== hash) continue;
          const counts = own.get(combination) ?? { sent: 0, clicked: 0 };
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
  const sum = (counted: 'sent' | 'clicked') =>
    [...own.values()].reduce((all, counts) => all + counts[counted], 0);
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

/** Unless another range is chosen. */
export const RECENT_DAYS = 30;

/** Today is the last one. */
export function lastDays(count: number, now: Date): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

export async function performance(
  needs: Omit<Needs, 'hasTimeLeft'>,
  organization: number,
): Promise<Performance> {
  const range = lastDays(RECENT_DAYS, needs.now);
  const [byDay, counted_until] = await Promise.all([
    sumsByDay(needs.table, organization, range),
    countedUntil(needs),
  ]);
  const dates = Array.from({ length: RECENT_DAYS }, (_, day) => dayAfter(range.start_date, day));
  return {
    ...range,
    days: dates.map(date => {
      const { sent, opened, clicked, value } = byDay.get(date) ?? rollup.noSums();
      return { date, sent, opened, clicked, value: amountOf(value) };
    }),
    totals: figuresOf(rollup.total(byDay.values())),
    counted_until,
  };
}

export const totalOf = async (table: Table, organization: number, range: Range): Promise<rollup.Sums> =>
  rollup.total((await sumsByDay(table, organization, range)).values());

/** In one query: a range that is longer than a month is for a report, which reads it in parts. */
async function sumsByDay(
  table: Table,
  organization: number,
  { start_date, end_date }: Range,
): Promise<Map<string, rollup.Sums>> {
  const byDay = new Map<string, Map<string, rollup.Sums>>();
  const days = { from: start_date, to: end_date };
  await rollup.readInParts(table, organization, days, RECENT_DAYS, items => {
    for (const item of items) {
      const day = rollup.dayOf(item);
      const sums = byDay.get(day) ?? new Map<string, rollup.Sums>();
      byDay.set(day, sums);
      rollup.addTo(sums, item);
    }
  });
  return new Map([...byDay].map(([day, sums]) => [day, rollup.total(sums.values())]));
}

export const figuresOf = (sums: Sums): Figures => {
  const { value: _, ...counts } = sums;
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
  value: amountOf(sums.value),
});

// 6 MB, with the body as a JSON string: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const MOST_BYTES = 5_900_000;
const MOST_WITHOUT_TEXTS = 5_000_000;
const MOST_ROWS = 5_000;

const CUTS = [2_000, 500, 200, 100, 50, 20, 10, 0];

type NamedRow = ReportRow & Pick<Described, 'asset_names'>;
type Fitting = Pick<CombinationsReport, 'asset_names' | 'texts_cut_at'> & { rows: ReportRow[] };

export function fitting(all: NamedRow[]): Fitting {
  let named = all.slice(0, MOST_ROWS);
  let most = MOST_BYTES;
  for (;;) {
    const rest = named.map(({ assets: _, asset_names: __, ...row }) => row);
    const taken = bytesOf(rest) + bytesOf(namesIn(named));
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
