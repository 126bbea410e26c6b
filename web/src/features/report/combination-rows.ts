import { combinationTitles, type Titled } from '#shared/report/combination-titles.ts';
import { compareBy, ratesOf, type SortedBy, unitsOf } from '#shared/report/figures.ts';
import type { CombinationsReport, Figures, ReportRow } from '#shared/reporting.ts';
import { HAPPENED } from '#shared/send-status.ts';
import type { Direction } from '#web/lib/table-view.ts';

type Names = CombinationsReport['asset_names'];

export const NO_DESCRIPTION = 'No description';

/** A row of the table: a combination, or a group of combinations with the same name. */
export type CombinationRow = {
  /** The id of the combination, or the name of the group. */
  id: string;
  name: string;
  /** The part of the name that differs from those of the other rows. */
  title: string;
  figures: Figures & Partial<Pick<ReportRow, 'value_per_send_range'>>;
  /** The automations that have sent it, or those of the group. */
  automations: string[];
  /** The combination; undefined for a group. */
  row?: ReportRow;
  count: number;
};

export const combinationName = ({ combination }: Pick<ReportRow, 'combination'>) =>
  combination || NO_DESCRIPTION;

const searched = ({ id, combination, assets }: ReportRow) => [
  id,
  combination,
  assets.subject_line,
  assets.preheader,
  assets.cta_text,
];

export function matchingRows(rows: ReportRow[], search: string): ReportRow[] {
  const text = search.trim().toLowerCase();
  return text ? rows.filter(row => searched(row).some(part => part?.toLowerCase().includes(text))) : rows;
}

export function combinationRows(rows: ReportRow[], names: Names): CombinationRow[] {
  const titles = combinationTitles(rows, names);
  return rows.map(row => ({
    id: row.id,
    name: combinationName(row),
    title: titles.get(row.id) || NO_DESCRIPTION,
    figures: row,
    automations: row.automation_ids,
    row,
    count: 1,
  }));
}

/** A row for each name, with the sums of their numbers. They are sorted here, as the server has no groups. */
export function nameRows(
  rows: ReportRow[],
  names: Names,
  by: SortedBy,
  direction: Direction,
): CombinationRow[] {
  const byName = Map.groupBy(rows, combinationName);
  const titles = titlesOfGroups(byName, names);
  const groups = [...byName].map(([name, some]) => {
    // Ranges do not add up.
    const value_per_send_range = some.length === 1 ? some[0]?.value_per_send_range : null;
    const sums = { ...sumsOf(some), value_per_send_range };
    return {
      id: name,
      name,
      title: titles.get(name) || name,
      figures: { ...sums, ...ratesOf(sums) },
      automations: [...new Set(some.flatMap(({ automation_ids }) => automation_ids))],
      count: some.length,
      sums,
    };
  });
  const figure = by === 'id' ? 'sent' : by;
  return groups.sort((a, b) => compareBy(figure, direction, a.sums, b.sums) || (a.name < b.name ? -1 : 1));
}

/** The title of each group: a group is a combination of names, each of which may belong to many assets. */
function titlesOfGroups(groups: Map<string, ReportRow[]>, names: Names): Map<string, string> {
  const rows = [...groups].flatMap(([id, [first]]): Titled[] => {
    if (!first) return [];
    const ids = Object.entries(first.asset_ids).map(([part, asset]) => [part, names[asset] ?? '']);
    return [{ id, type: first.type, combination: id, asset_ids: Object.fromEntries(ids), assets: {} }];
  });
  const all = Object.values(names);
  return combinationTitles(rows, Object.fromEntries(all.map(name => [name, name])));
}

const COUNTED = ['sent', ...HAPPENED, 'conversions'] as const;

/** Sums values as whole ten-thousandths, as they are stored. */
function sumsOf(rows: ReportRow[]) {
  const sum = (numberOf: (row: ReportRow) => number) => rows.reduce((total, row) => total + numberOf(row), 0);
  const counts = Object.fromEntries(COUNTED.map(name => [name, sum(row => row[name])]));
  return { ...(counts as Record<(typeof COUNTED)[number], number>), value: sum(row => unitsOf(row.value)) };
}
