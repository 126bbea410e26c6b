import { PARTS, type Part } from '#shared/email/content.ts';
import { percentage, roundedAmount } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationReport, CombinationsReport, Figures } from '#shared/reporting.ts';
import { saveCsv } from '#web/lib/save-file.ts';
import type { CombinationRow } from './combination-rows.ts';

type Cell = string | number;
type Names = CombinationsReport['automation_names'];

const reportFile = ({ start_date, end_date }: Range) =>
  `email-combinations-report_${start_date}_to_${end_date}.csv`;

const FIGURES: [name: string, cell: (figures: Figures) => Cell][] = [
  ['Sent', ({ sent }) => sent],
  ['Opened', ({ opened }) => opened],
  ['Machine Opened', ({ machine_opened }) => machine_opened],
  ['Clicked', ({ clicked }) => clicked],
  ['Unsubscribed', ({ unsubscribed }) => unsubscribed],
  ['Open-%', ({ open_rate }) => open_rate],
  ['Click-%', ({ click_rate }) => click_rate],
  ['Unsub-%', ({ unsubscribe_rate }) => unsubscribe_rate],
  ['Conversions', ({ conversions }) => conversions],
  ['Value', ({ value }) => roundedAmount(value).toFixed(2)],
  ['Value/Send', ({ value_per_send, sent }) => (sent ? value_per_send.toFixed(4) : '')],
  ['Value/Click', ({ value_per_click, clicked }) => (clicked ? value_per_click.toFixed(4) : '')],
];
const PART_NAMES = Object.entries(PARTS) as [Part, string][];

/** The rows of the table. Grouped rows have no ids and no texts. */
export function reportRows(shown: CombinationRow[], isGrouped: boolean, names: Names = {}): Cell[][] {
  const header = ['Combination', 'Automation', ...FIGURES.map(([name]) => name)];
  const cellsOf = ({ name, automations, figures }: CombinationRow) => [
    name,
    automations.flatMap(id => names[id] ?? []).join(', '),
    ...FIGURES.map(([, cell]) => cell(figures)),
  ];
  if (isGrouped) return [header, ...shown.map(cellsOf)];
  return [
    ['ID', ...header, ...PART_NAMES.map(([, name]) => name)],
    ...shown.map(one => [
      one.id,
      ...cellsOf(one),
      ...PART_NAMES.map(([part]) => one.row?.assets[part] ?? ''),
    ]),
  ];
}

const combinationFile = ({ combination, start_date, end_date }: CombinationReport) =>
  `email-combination-${combination.id}_${start_date}_to_${end_date}.csv`;

type Day = CombinationReport['daily_stats'][number];

const DAYS: [name: string, cell: (day: Day) => Cell][] = [
  ['Date', ({ date }) => date],
  ['Sent', ({ total_sent }) => total_sent],
  ['Opened', ({ total_opened }) => total_opened],
  ['Machine Opened', ({ total_machine_opened }) => total_machine_opened],
  ['Clicked', ({ total_clicked }) => total_clicked],
  ['Unsub Clicked', ({ total_unsub_clicked }) => total_unsub_clicked],
  ['Unsubscribed', ({ total_unsubscribed }) => total_unsubscribed],
  ['Open Rate', ({ total_opened, total_sent }) => percentage(total_opened, total_sent)],
  ['Click Rate', ({ total_clicked, total_sent }) => percentage(total_clicked, total_sent)],
  ['Unsub Rate', ({ total_unsubscribed, total_sent }) => percentage(total_unsubscribed, total_sent)],
  ['Value', ({ value }) => roundedAmount(value).toFixed(2)],
];

const combinationRows = ({ daily_stats }: CombinationReport): Cell[][] => [
  DAYS.map(([name]) => name),
  ...daily_stats.map(day => DAYS.map(([, cell]) => cell(day))),
];

/** The currency of amounts is named once, so that a spreadsheet reads these as numbers. */
export const inCurrency = ([header = [], ...rows]: Cell[][], currency?: string | null): Cell[][] => [
  header.map(name => (currency && String(name).startsWith('Value') ? `${name} (${currency})` : name)),
  ...rows,
];

type Shown = { rows: CombinationRow[]; isGrouped: boolean };

export const saveReport = (
  report: CombinationsReport,
  { rows, isGrouped }: Shown,
  currency?: string | null,
) => saveCsv(reportFile(report), inCurrency(reportRows(rows, isGrouped, report.automation_names), currency));

export const saveCombination = (report: CombinationReport, currency?: string | null) =>
  saveCsv(combinationFile(report), inCurrency(combinationRows(report), currency));
