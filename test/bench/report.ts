/** A count, undefined where there was no answer, and its budget if it has one. */
export type Line = { what: string; measured: number | undefined; budget?: number };
export type Section = { title: string; lines: Line[] };

export const isOver = ({ measured = Number.POSITIVE_INFINITY, budget }: Line) =>
  budget !== undefined && measured > budget;

const count = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** A plain table of one bench. */
export function written({ title, lines }: Section): string {
  const rows = [
    [title, 'measured', 'budget', ''],
    ...lines.map(line => [
      `  ${line.what}`,
      line.measured === undefined ? 'no answer' : count(line.measured),
      line.budget === undefined ? '' : count(line.budget),
      line.budget === undefined ? '' : isOver(line) ? 'OVER' : 'ok',
    ]),
  ];
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(([what = '', ...cells]) =>
      [what.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
