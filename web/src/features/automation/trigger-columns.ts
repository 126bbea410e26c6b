import type { DatetimeColumns } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { formatNumber, plural } from '#web/lib/format.ts';

/** A column with dates, with the number of chosen lists that have it, and of their members with a date in it. */
export type TriggerColumn = { name: string; members: number; lists: number };

/** The columns of several lists, by name. */
export function columnsOf(answers: readonly DatetimeColumns[]): TriggerColumn[] {
  const found = new Map<string, TriggerColumn>();
  for (const { columns, stats } of answers) {
    for (const name of columns) {
      const { members, lists } = found.get(name) ?? { members: 0, lists: 0 };
      found.set(name, { name, members: members + (stats[name] ?? 0), lists: lists + 1 });
    }
  }
  return [...found.values()].sort((a, b) => compareNames(a.name, b.name));
}

export const columnText = ({ name, members, lists }: TriggerColumn, chosen: number): string =>
  `${name} (${plural(members, 'member')}, in ${formatNumber(lists)} of ${plural(chosen, 'list')})`;
