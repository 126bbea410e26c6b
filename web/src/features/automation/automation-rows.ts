import type { Automation } from '#shared/automation.ts';
import { compareNames } from '#shared/names.ts';
import type { Sequence } from '#shared/sequence.ts';
import { text } from '#web/lib/filters.ts';
import type { ViewOf } from '#web/lib/table-view.ts';

export const AUTOMATIONS_VIEW = {
  filters: { search: text },
  sorts: ['name', 'active', 'created_at'],
} as const;

/** A row of the table: an automation, a sequence, or one of its steps, which is an automation too. */
export type AutomationRow =
  | { automation: Automation; sequence?: Sequence }
  | { automation?: never; sequence: Sequence };

export const rowKey = ({ automation, sequence }: AutomationRow) => (automation ?? sequence).id;

/** One row for each automation that is no step, and one for each sequence. */
export function automationRows(
  automations: readonly Automation[],
  sequences: readonly Sequence[],
): AutomationRow[] {
  const alone = automations.filter(({ sequence_id }) => !sequences.some(({ id }) => id === sequence_id));
  return [...alone.map(automation => ({ automation })), ...sequences.map(sequence => ({ sequence }))];
}

type Order = (a: AutomationRow, b: AutomationRow) => number;

const of = ({ automation, sequence }: AutomationRow) => automation ?? sequence;
const byName: Order = (a, b) => compareNames(of(a).name, of(b).name);

const ORDERS = {
  name: byName,
  active: (a, b) => Number(of(b).active) - Number(of(a).active) || byName(a, b),
  created_at: (a, b) => of(a).created_at.localeCompare(of(b).created_at),
} satisfies Record<string, Order>;

export function shownRows(
  rows: AutomationRow[],
  { sort = 'name', direction, filters }: ViewOf<typeof AUTOMATIONS_VIEW>,
): AutomationRow[] {
  const query = filters.search.trim().toLowerCase();
  const matches = rows.filter(row =>
    [of(row).name, ...of(row).email_lists.map(list => list.name)].join('\n').toLowerCase().includes(query),
  );
  const sorted = matches.toSorted(ORDERS[sort]);
  return direction === 'desc' ? sorted.reverse() : sorted;
}

/** The steps of sequences that are open follow them. */
export function withSteps(
  rows: AutomationRow[],
  opened: ReadonlySet<string>,
  automations: readonly Automation[],
): AutomationRow[] {
  return rows.flatMap(row => {
    if (row.automation || !opened.has(row.sequence.id)) return [row];
    const { sequence } = row;
    const steps = sequence.steps.flatMap(step => automations.filter(({ id }) => id === step.automation_id));
    return [row, ...steps.map(automation => ({ automation, sequence }))];
  });
}
