import * as automation from '../../automation/automation/automation.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import type { Table } from '../../storage/table.store.ts';
import type { World } from '../claim/claim.ts';
import type { PackSource } from '../pack/pack.ts';
import { readSwitches } from '../switches/switches.ts';

/** All that claims are decided by, beside the recipients. */
export async function readWorld(table: Table, organizationId: number, sources: PackSource[]): Promise<World> {
  const automationIds = [...new Set(sources.map(one => one.automation))];
  const [now, linked, limits] = await Promise.all([
    readSwitches(table, organizationId, sources),
    automation.readLinked(table, organizationId, automationIds),
    safeguards.of(table, organizationId),
  ]);
  return { ...now, linked, safeguards: limits, choices: new Map(), storing: new Map() };
}
