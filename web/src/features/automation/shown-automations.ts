import type { Automation } from '#shared/automation.ts';
import { compareNames } from '#shared/names.ts';
import { text } from '#web/lib/filters.ts';
import type { ViewOf } from '#web/lib/table-view.ts';

type Order = (a: Automation, b: Automation) => number;

const byName: Order = (a, b) => compareNames(a.name, b.name);

const ORDERS = {
  name: byName,
  active: (a, b) => Number(b.active) - Number(a.active) || byName(a, b),
  created_at: (a, b) => a.created_at.localeCompare(b.created_at),
} satisfies Record<string, Order>;

export const AUTOMATIONS_VIEW = {
  filters: { search: text },
  sorts: ['name', 'active', 'created_at'],
} as const;

/** The automations that match the search by their name or that of a list, sorted. */
export function shownAutomations(
  automations: Automation[],
  { sort = 'name', direction, filters }: ViewOf<typeof AUTOMATIONS_VIEW>,
): Automation[] {
  const query = filters.search.trim().toLowerCase();
  const matches = automations.filter(({ name, email_lists }) =>
    [name, ...email_lists.map(list => list.name)].join('\n').toLowerCase().includes(query),
  );
  const sorted = matches.toSorted(ORDERS[sort]);
  return direction === 'desc' ? sorted.reverse() : sorted;
}
