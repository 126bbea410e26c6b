import * as automation from '#core/automation/automation.store.ts';
import * as combinations from '#core/content/combination.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Safeguards } from '#shared/safeguards.ts';
import type { PackSource } from '../pack.ts';
import { readSendingState, type SendingState } from '../state.ts';

/** All that decides what is sent, except the recipients, as read at one moment. */
export type SendingContext = SendingState & {
  linked: Map<string, automation.Linked>;
  safeguards: Safeguards;
  contents: combinations.Contents;
};

export async function readContext(
  table: Table,
  organizationId: number,
  sources: PackSource[],
  known?: SendingState,
): Promise<SendingContext> {
  const automationIds = [...new Set(sources.map(one => one.automation))];
  const [state, linked, limits] = await Promise.all([
    known ?? readSendingState(table, organizationId, sources),
    automation.readLinked(table, organizationId, automationIds),
    safeguards.read(table, organizationId),
  ]);
  return {
    ...state,
    linked,
    safeguards: limits,
    contents: combinations.contentsOf(table, organizationId),
  };
}
