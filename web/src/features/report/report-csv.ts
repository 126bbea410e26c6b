import { PARTS, type Part } from '#shared/email/content.ts';
import { percentage } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationReport, CombinationsReport, Figures } from '#shared/reporting.ts';
import { saveCsv } from '#web/lib/save-file.ts';
import type { CombinationRow } from './combination-rows.ts';

type Cell = string | number;

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
  ['Value', ({ value }) => value.toFixed(2)],
  ['Value/Send', ({ value_per_send }) => value_per_send.toFixed(4)],
  ['Value/Click', ({ value_per_click }) => value_per_click.toFixed(4)],
];
const PART_NAMES = Object.entries(PARTS) as [Part, string][];

/** The rows of the table. Grouped rows have no ids and no texts. */
export function reportRows(shown: CombinationRow[], isGrouped: boolean): Cell[][] {
  const header = ['Combination', ...FIGURES.map(([name]) => name)];
  const cellsOf = ({ name, figures }: CombinationRow) => [name, ...FIGURES.map(([, cell]) => cell(figures))];
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

const combinationRows = ({ daily_stats }: CombinationReport): Cell[][] => [
  [
    'Date',
    'Sent',
    'Opened',
    'Machine Opened',
    'Clicked',
    'Unsub Clicked',
    'Unsubscribed',
    'Open Rate',
    'Click Rate',
    'Unsub Rate',
    'Value',
  ],
  ...daily_stats.map(day => [
    day.date,
    day.total_sent,
    day.total_opened,
    day.total_machine_opened,
    day.total_clicked,
    day.total_unsub_clicked,
    day.total_unsubscribed,
    ...[day.total_opened, day.total_clicked, day.total_unsubscribed].map(one =>
      percentage(one, day.total_sent),
    ),
    day.value.toFixed(2),
  ]),
];

export const saveReport = (report: CombinationsReport, shown: CombinationRow[], isGrouped: boolean) =>
  saveCsv(reportFile(report), reportRows(shown, isGrouped));

export const saveCombination = (report: CombinationReport) =>
  saveCsv(combinationFile(report), combinationRows(report));
