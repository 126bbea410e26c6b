import type * as automations from '#core/automation/automation.store.ts';
import * as content from '#core/content/content-change.ts';
import { definedFields } from '#core/defined-fields.ts';
import type * as listStore from '#core/list/list.store.ts';
import * as lists from '#core/list/list.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { AutomationContentChange } from '#shared/automation-content.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import type { ContentLinks } from '#shared/dry-run.ts';
import type { ListChange, SendingKeyChange } from '#shared/list.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import type { Plan } from '../forecast/plan.ts';

/** A change that is not stored, made to a plan. */
export type PlannedChange = (plan: Plan) => Plan;

/** An automation is created or changed. */
export const withAutomation =
  (automation: automations.StoredAutomation): PlannedChange =>
  plan => ({ ...plan, automations: new Map(plan.automations).set(automation.id, automation) });

export const withSafeguards =
  (to: SafeguardsChange): PlannedChange =>
  plan => ({ ...plan, safeguards: { ...plan.safeguards, ...definedFields(to) } });

export const withSendingHours =
  (to: SendingHoursChange, now: Date): PlannedChange =>
  plan => ({
    ...plan,
    organization: plan.organization && sendingHours.changed(plan.organization, to, now),
  });

export function withList(list: listStore.StoredList, to: ListChange, now: Date): PlannedChange {
  const after = lists.changed(list, to, now);
  return plan => ({ ...plan, lists: new Map(plan.lists).set(list.id, after) });
}

/** Any new key counts as valid: only a call of the provider could tell. */
export function withSendingKey(
  list: listStore.StoredList,
  { mailgun_sending_key: key }: SendingKeyChange,
): PlannedChange {
  if (key === undefined || key === lists.UNCHANGED_KEY) return plan => plan;
  const { sending_key: _, connection: __, ...without } = list;
  const after = key === null ? without : { ...without, sending_key: 'to be set' };
  return plan => ({ ...plan, lists: new Map(plan.lists).set(list.id, after) });
}

/** Content is linked to an automation, or unlinked from it. */
export async function withLinks(
  table: Table,
  { organization_id, id: automation }: automations.StoredAutomation,
  { link, unlink }: AutomationContentChange,
): Promise<PlannedChange> {
  const found = await content.findAny(table, organization_id, { link, unlink });
  return plan => {
    const linked: automations.Linked = { ...plan.linked.get(automation) };
    for (const { head, kind } of found) {
      const ids = new Set(linked[kind]);
      if (head.is_active && link.includes(head.id)) ids.add(head.id);
      else ids.delete(head.id);
      if (ids.size > 0) linked[kind] = ids;
      else delete linked[kind];
    }
    return { ...plan, linked: new Map(plan.linked).set(automation, linked) };
  };
}

type Used = { id: string; kind: automations.LinkKind; is_active: boolean; automation_ids: string[] };

// What is created has no id yet.
const created = ({ kind, kinds, is_active = true, automation_ids = [] }: ContentLinks): Used[] =>
  [kind ?? kinds ?? []].flat().map(kind => ({ id: 'new', kind, is_active, automation_ids }));

async function existing(table: Table, organizationId: number, id: string, to: ContentLinks): Promise<Used[]> {
  const [found] = await content.findAny(table, organizationId, { id: [id] });
  const { head, kind } = found as content.Found;
  const { is_active = head.is_active, automation_ids = content.linkedTo(head) } = to;
  return [{ id, kind, is_active, automation_ids }];
}

export async function withContent(
  table: Table,
  organizationId: number,
  to: ContentLinks,
): Promise<PlannedChange> {
  const used = to.id === undefined ? created(to) : await existing(table, organizationId, to.id, to);
  return plan => {
    const isUnknown = to.automation_ids?.some(of => !plan.automations.has(of));
    if (isUnknown) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
    return used.reduce(withUse, plan);
  };
}

function withUse(plan: Plan, { id, kind, is_active, automation_ids }: Used): Plan {
  const linked = new Map(plan.linked);
  for (const automation of plan.automations.keys()) {
    const { [kind]: before = new Set<string>(), ...rest } = plan.linked.get(automation) ?? {};
    const isUsed = is_active && automation_ids.includes(automation);
    if (before.has(id) === isUsed) continue;
    const ids = isUsed ? [...before, id] : [...before].filter(other => other !== id);
    linked.set(automation, { ...rest, ...(ids.length > 0 && { [kind]: new Set(ids) }) });
  }
  return { ...plan, linked };
}
