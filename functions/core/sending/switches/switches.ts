import type { Skipped } from '../../../../shared/send.ts';
import * as automation from '../../automation/automation/automation.ts';
import * as list from '../../list/list/list.ts';
import * as organization from '../../organization/organization/organization.ts';
import type { Reading, Table } from '../../storage/table.store.ts';

const MINUTE = 60 * 1000;

/** An organization, lists and automations as they are now. */
export type Switches = {
  /** Undefined where it is deleted. */
  organization: organization.StoredOrganization | undefined;
  lists: Map<string, list.StoredList>;
  automations: Map<string, automation.StoredAutomation>;
};

type Named = { list: string; automation: string };

export async function readSwitches(
  table: Table,
  organizationId: number,
  sources: Named[],
  /** Of organization and lists; an automation's schedule decides who is due. */
  reading?: Reading,
): Promise<Switches> {
  const listIds = [...new Set(sources.map(one => one.list))];
  const automationIds = [...new Set(sources.map(one => one.automation))];
  const [[found], lists, automations] = await Promise.all([
    organization.findAll({ table }, [organizationId], reading),
    list.readThese(table, organizationId, listIds, reading),
    automation.readThese(table, organizationId, automationIds),
  ]);
  return {
    organization: found,
    lists: new Map(lists.map(one => [one.id, one])),
    automations: new Map(automations.map(one => [one.id, one])),
  };
}

/** Why nothing may be sent from a list by an automation; undefined where it may. What was off when it fell due stays unsent. */
export function offReason(
  { organization, lists, automations }: Switches,
  listId: string,
  automationId: string,
  /** The minute in which it was due. */
  due: Date,
): Skipped | undefined {
  const list = lists.get(listId);
  const automation = automations.get(automationId);
  const next = new Date(due.getTime() + MINUTE).toISOString();
  const wasOff = ({ active_since = '' }: { active_since?: string | undefined }) => active_since >= next;
  if (!organization?.active || organization.deleted_at || wasOff(organization)) return 'organization_off';
  if (!automation?.active || !automation.email_list_ids.includes(listId)) return 'automation_off';
  if (!list?.active || wasOff(list)) return 'list_off';
  return list.sending_key ? undefined : 'no_key';
}

/** Until when a list takes nothing: its provider asked for a pause, or does not take its key. */
export function waitsUntil({ connection, paused_until }: list.StoredList, now: Date): Date | undefined {
  if (connection?.valid === false) return new Date(now.getTime() + NEXT_LOOK);
  const until = paused_until === undefined ? undefined : new Date(paused_until);
  return until && until > now ? until : undefined;
}

const NEXT_LOOK = 15 * 60 * 1000;
