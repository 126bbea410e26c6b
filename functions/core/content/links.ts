import * as automation from '#core/automation/automation.store.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import type { Head } from './content.store.ts';

// The list of an automation's active content is one item, whose size is limited.
const MOST_ACTIVE = 1_000;

export const CONFLICT = 'Another change is under way. Please try again.';

// DynamoDB has no empty sets.
export const setOf = (ids: string[]) => (ids.length > 0 ? new Set(ids) : undefined);

export const linkedTo = ({ automation_ids }: Head): string[] => [...(automation_ids ?? [])];

/** The automations to which content is linked, without deleted ones. */
export async function existingLinks(table: Table, head: Head): Promise<string[]> {
  const linked = linkedTo(head);
  const existing = await automation.readLinked(table, head.organization_id, linked);
  return linked.filter(id => existing.has(id));
}

/** Content by the kind under which an automation lists it, one of each kind. */
export type Linkable = { organization: number; ids: Partial<Record<automation.LinkKind, string>> };

/** The writes that add this content to the lists of automations. */
export const listWrites = (table: Table, { organization, ids }: Linkable, automations: string[]): Write[] =>
  automations.map(id => automation.linkWrite(table, { organization, automation: id, ids }, MOST_ACTIVE));

/** Throws an error if an automation is deleted, or has as much content as it may have. */
export async function requireLinkable(
  table: Table,
  { organization, ids }: Linkable,
  automations: string[],
): Promise<void> {
  const linked = await automation.readLinked(table, organization, automations);
  if (automations.some(id => !linked.has(id))) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
  const isFull = [...linked.values()].some(had =>
    Object.entries(ids).some(([kind, id]) => {
      const others = had[kind as automation.LinkKind];
      return others && others.size >= MOST_ACTIVE && !others.has(id);
    }),
  );
  if (isFull) {
    throw invalid(
      'automation_ids',
      `One of the automations has ${MOST_ACTIVE.toLocaleString('en')} of this type already`,
    );
  }
}
