import type { Automation } from '#shared/automation.ts';
import type { Upcoming } from '#shared/forecast.ts';
import { compareNames } from '#shared/names.ts';
import type { TotalsOfAutomation } from '#shared/reporting.ts';
import type { Sequence } from '#shared/sequence.ts';
import { severalOf, text } from '#web/lib/filters.ts';
import type { ViewOf } from '#web/lib/table-view.ts';

/** The first ones fit at 1280, beside the sidebar; the name is always shown. */
export const AUTOMATION_COLUMNS = {
  sending: ['Sending', 140],
  sent: ['Sent', 84],
  open_rate: ['Open-%', 98],
  click_rate: ['Click-%', 96],
  next: ['Next send', 132],
  schedule: ['Schedule', 180],
  active: ['Status', 132],
  lists: ['Lists', 90],
  eligibility: ['Email Eligibility', 136],
  created_at: ['Created', 108],
} as const;
export type AutomationColumn = keyof typeof AUTOMATION_COLUMNS;

export const AUTOMATIONS_VIEW = {
  filters: { search: text, columns: severalOf(AUTOMATION_COLUMNS) },
  sorts: ['name', 'active', 'created_at', 'sent', 'open_rate', 'click_rate', 'next'],
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

/** Undefined until they are loaded; opens that are counted with those of others are null. */
export type Figures = {
  sent?: number | undefined;
  opened?: number | null | undefined;
  clicked?: number | undefined;
  next?: { at: string | null; count: number } | undefined;
};
export type FiguresOf = (row: AutomationRow) => Figures;

/** Those of a sequence are the sums of its steps. */
export function figuresBy(
  totals: readonly TotalsOfAutomation[] | undefined,
  upcoming: Upcoming['automations'] | undefined,
): FiguresOf {
  const byId = Map.groupBy(totals ?? [], ({ automation_id }) => automation_id);
  const nextById = Map.groupBy(upcoming ?? [], ({ automation_id }) => automation_id);
  return ({ automation, sequence }) => {
    const ids = automation ? [automation.id] : sequence.steps.map(step => step.automation_id);
    const all = ids.flatMap(id => byId.get(id) ?? []);
    const next = ids.flatMap(id => nextById.get(id) ?? []);
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    const opened = all.flatMap(one => one.opened ?? []);
    return {
      ...(totals && {
        sent: sum(all.map(({ sent }) => sent)),
        opened: opened.length < all.length ? null : sum(opened),
        clicked: sum(all.map(({ clicked }) => clicked)),
      }),
      ...(upcoming && {
        next: {
          at: next.flatMap(({ next_at }) => next_at ?? []).sort()[0] ?? null,
          count: sum(next.map(({ count }) => count)),
        },
      }),
    };
  };
}

type Order = (a: AutomationRow, b: AutomationRow) => number;

const of = ({ automation, sequence }: AutomationRow) => automation ?? sequence;
const byName: Order = (a, b) => compareNames(of(a).name, of(b).name);

const byNumber =
  (number: (figures: Figures) => number | undefined) =>
  (of: FiguresOf): Order =>
  (a, b) =>
    (number(of(a)) ?? -1) - (number(of(b)) ?? -1) || byName(a, b);

const rateOf = (count: number | null | undefined, sent = 0) =>
  sent > 0 && count != null ? count / sent : -1;
const FIGURE_ORDERS = {
  sent: byNumber(({ sent }) => sent),
  open_rate: byNumber(({ opened, sent }) => rateOf(opened, sent)),
  click_rate: byNumber(({ clicked, sent }) => rateOf(clicked, sent)),
  next: byNumber(({ next }) => (next?.at ? Date.parse(next.at) : Number.POSITIVE_INFINITY)),
};

const ORDERS = {
  name: byName,
  active: (a, b) => Number(of(b).active) - Number(of(a).active) || byName(a, b),
  created_at: (a, b) => of(a).created_at.localeCompare(of(b).created_at),
} satisfies Record<string, Order>;

type FigureSort = keyof typeof FIGURE_ORDERS;
type PlainSort = keyof typeof ORDERS;

export function shownRows(
  rows: AutomationRow[],
  {
    sort = 'name',
    direction,
    filters,
  }: Omit<ViewOf<typeof AUTOMATIONS_VIEW>, 'filters'> & { filters: { search: string } },
  figures: FiguresOf = () => ({}),
): AutomationRow[] {
  const query = filters.search.trim().toLowerCase();
  const matches = rows.filter(row =>
    [of(row).name, ...of(row).email_lists.map(list => list.name)].join('\n').toLowerCase().includes(query),
  );
  const order =
    sort in FIGURE_ORDERS ? FIGURE_ORDERS[sort as FigureSort](figures) : ORDERS[sort as PlainSort];
  const sorted = matches.toSorted(order);
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
