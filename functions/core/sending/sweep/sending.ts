import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.store.ts';
import type { Interval } from '#core/automation/due/rule.ts';
import { inParallel } from '#core/parallel.ts';
import { deleteSource, type Source } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { MINUTE } from '#shared/time.ts';
import { blockedBy, readSendingStates, type SendingState } from '../state.ts';

/**
 * Reads eventually consistent states. If something of an organization is off, its states are read again, consistently, so
 * that what was just switched on misses nothing. A state that says on may be out of date, since the sender checks again.
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

/** Whether what is due before an instant is queued. Without a key it is too: the sender skips it with that reason. */
function maySend(state: SendingState, list: string, automation: string, until: Date): boolean {
  const off = blockedBy(state, { list, automation }, new Date(until.getTime() - MINUTE));
  return !off || off === 'no_key';
}

// The next run deletes more.
const MOST_DELETED = 20;

/** Returns the sources that an automation still has, and deletes the others, which a process that died has left behind. */
export async function keepUsedSources(
  table: Table,
  state: SendingState,
  sources: Source[],
): Promise<Source[]> {
  // The purge deletes the sources of a deleted organization.
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

/** Whether a source that may not send within a span may send after it. */
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
