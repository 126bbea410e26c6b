import * as automationStore from '#core/automation/automation.store.ts';
import { laterOf, type Rules, rulesFor } from '#core/automation/due/rule.ts';
import * as listStore from '#core/list/list.store.ts';
import * as organizations from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { ADDED } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { SendingContext } from '../claim/context.ts';
import type { PackSource } from '../pack.ts';
import * as stops from '../stop.store.ts';

/**
 * All that decides what an organization sends, except its people: as it is stored, or as a change would make it. It is the
 * context of a sender, with all automations.
 */
export type Plan = Omit<SendingContext, 'contents'>;

export async function readPlan(table: Table, organizationId: number): Promise<Plan> {
  const [stage, [organization], allLists, allAutomations, linked, limits] = await Promise.all([
    stops.read(table),
    organizations.findAll({ table }, [organizationId]),
    listStore.readAllUncounted(table, organizationId),
    automationStore.readAll(table, organizationId),
    automationStore.readAllLinked(table, organizationId),
    safeguards.read(table, organizationId),
  ]);
  return {
    stage,
    organization,
    lists: new Map(allLists.map(list => [list.id, list])),
    automations: new Map(allAutomations.map(automation => [automation.id, automation])),
    linked,
    safeguards: limits,
  };
}

type Automation = automationStore.StoredAutomation;

/** With an automation that may not be stored yet; one that is off is taken as switched on now. */
export function withSwitchedOn(plan: Plan, automation: Automation, now: Date): Plan {
  const { active, active_since } = automation;
  const switchedOn = { ...automation, active: true, active_since: active ? active_since : now.toISOString() };
  return { ...plan, automations: new Map(plan.automations).set(automation.id, switchedOn) };
}

/** An automation that mails a list, and since when both are on. */
export type Source = PackSource & { place: number; rules: Rules };

/** The sources that a sweep would read: active automations, each with its active lists. */
export function sourcesOf({ organization, automations: all, lists: allLists }: Plan): Source[] {
  const pairs = [...all.values()]
    .filter(({ active }) => active)
    .flatMap(automation => automation.email_list_ids.map(id => ({ automation, list: allLists.get(id) })));
  return pairs
    .flatMap(({ automation, list }) => (list?.active ? [{ automation, list }] : []))
    .map(({ automation, list }, place) => ({
      ...{ place, list: list.id, automation: automation.id },
      column: automation.metadata_trigger ?? ADDED,
      rules: rulesFor(
        { ...automation, active_since: laterOf(automation.active_since, list.active_since) },
        { organization, list },
      ),
    }));
}
