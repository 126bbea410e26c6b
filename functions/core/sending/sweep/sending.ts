import type { StoredAutomation } from '../../automation/automation/automation.ts';
import * as automations from '../../automation/automation/automation.ts';
import type { Interval } from '../../automation/due/due.ts';
import { deleteSource, type Source } from '../../automation/source/source.ts';
import { inParallel } from '../../parallel.ts';
import type { Table } from '../../storage/table.store.ts';
import { blockedBy, readSendingStates, type SendingState } from '../state/state.ts';

const MINUTE = 60 * 1000;

/**
 * What is on may be what was on a moment ago, since the sender looks again. What is off is so now: else what was just
 * switched on would miss what is due.
 */
export async function currentStates(
  table: Table,
  wanted: Map<number, Source[]>,
  until: Date,
): Promise<Map<number, SendingState>> {
  const seen = await readSendingStates(table, wanted, { consistent: false });
  const isOn = ([organization, sources]: [number, Source[]]) => {
    const state = seen.get(organization);
    return sources.every(({ list, automation }) => state && maySend(state, list, automation, until));
  };
  const off = new Map([...wanted].filter(one => !isOn(one)));
  return off.size === 0 ? seen : new Map([...seen, ...(await readSendingStates(table, off))]);
}

/** Whether what is due before an instant is queued; for want of a key it is skipped by the sender, who says so. */
function maySend(state: SendingState, list: string, automation: string, until: Date): boolean {
  const off = blockedBy(state, { list, automation }, new Date(until.getTime() - MINUTE));
  return !off || off === 'no_key';
}

// One too many does no harm, and the next run deletes more.
const MOST_DELETED = 20;

/** The sources that an automation still has. Others were left over by a process that died, and are deleted. */
export async function usedSources(table: Table, state: SendingState, sources: Source[]): Promise<Source[]> {
  // Those of a deleted organization are purged.
  if (!state.organization) return [];
  const isUsed = (source: Source) => {
    const automation = state.automations.get(source.automation);
    return state.lists.has(source.list) && automation && automations.hasSource(automation, source);
  };
  const unused = sources.filter(source => !isUsed(source)).slice(0, MOST_DELETED);
  await inParallel(unused, MOST_DELETED, source => {
    const automation = state.automations.get(source.automation);
    return deleteSource(table, source, automation && automations.unchangedCheck(table, automation));
  });
  return sources.filter(isUsed);
}

/** The automations that may send from a column. */
export const sendingOf = (state: SendingState, sources: Source[], { until }: Interval): StoredAutomation[] =>
  sources.flatMap(({ list, automation }) =>
    maySend(state, list, automation, until) ? (state.automations.get(automation) ?? []) : [],
  );

/** Whether one of the sources that may not send within a span may do so after it. */
export const startsNext = (
  state: SendingState,
  sources: Source[],
  sending: StoredAutomation[],
  { until }: Interval,
): boolean =>
  sources.some(
    ({ list, automation }) =>
      !sending.some(({ id }) => id === automation) && !blockedBy(state, { list, automation }, until),
  );
