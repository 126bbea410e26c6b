import { hasSource } from '#core/automation/automation.store.ts';
import { firstOccurrence } from '#core/automation/due/occurrences.ts';
import { inParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { movePass, type Pass } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { MINUTES_OF_DAY, startOfMinute } from '#shared/time.ts';
import { minuteOf, type Pack, packsOf } from '../pack.ts';
import { blockedBy, endOfQuiet, readSendingState, type SendingState, timedOf } from '../state.ts';

export type Needs = {
  table: Table;
  now: Date;
  hasTimeLeft: () => boolean;
  /** Resolves when the queue has accepted the packs. */
  queue: (packs: Pack[]) => Promise<void>;
  /** Reports an organization that could not be swept; it is retried. */
  failed: (organization: number, error: unknown) => void;
  part?: { rows: number };
};

// Between two looks at the time: with a long row of days off, a row takes milliseconds.
const MOST_AT_ONCE = 4;
const ROWS = 1_000;
// Of an organization in a run: a hundred packs, as of what falls due.
const MOST_PAGES = 100;

type Outcome = { packs: number; isLeft: boolean };

/**
 * Queues the people whose first email was due before their automation was switched on, page by page. A pass moves on once the
 * queue has a page: a run may die anywhere, and two may work on a pass, as who has any claim gets nothing.
 */
export async function queueExisting(needs: Needs, passes: Pass[]): Promise<Outcome> {
  const byOrganization = [...Map.groupBy(passes, ({ organization }) => organization)];
  const outcomes = await inParallel(byOrganization, MOST_AT_ONCE, async ([organization, ofIt]) => {
    try {
      return await queueOf(needs, organization, ofIt);
    } catch (error) {
      needs.failed(organization, error);
      return { packs: 0, isLeft: true };
    }
  });
  return {
    packs: outcomes.reduce((sum, { packs }) => sum + packs, 0),
    isLeft: outcomes.some(({ isLeft }) => isLeft),
  };
}

async function queueOf(needs: Needs, organization: number, passes: Pass[]): Promise<Outcome> {
  const state = await readSendingState(needs.table, organization, passes);
  const outcome: Outcome = { packs: 0, isLeft: false };
  let pages = 0;
  for (const pass of passes) {
    for (let next: Pass | undefined = pass; next; ) {
      if (pages++ === MOST_PAGES || !needs.hasTimeLeft()) return { ...outcome, isLeft: true };
      const page = await pageOf(needs, state, next);
      if (page === 'waits') {
        outcome.isLeft = true;
        break;
      }
      if (page.packs.length > 0) await needs.queue(page.packs);
      outcome.packs += page.packs.length;
      const isMoved = await movePass(needs.table, next, page.last);
      outcome.isLeft ||= !isMoved;
      next = isMoved && page.last !== undefined ? { ...next, after: page.last } : undefined;
    }
  }
  return outcome;
}

/** What is off ends a pass; the end of quiet hours, or of a stop by the operator, is waited for. */
async function pageOf(
  { table, now, part: { rows: most } = { rows: ROWS } }: Needs,
  state: SendingState,
  { organization, list, column, automation: id, since, after }: Pass,
): Promise<{ packs: Pack[]; last: string | undefined } | 'waits'> {
  // The clock that it was switched on by may be ahead of this one.
  const minute = new Date(startOfMinute(Math.max(now.getTime(), Date.parse(since))));
  const automation = state.automations.get(id);
  const blocked = blockedBy(state, { list, automation: id }, minute);
  const isKept = automation && hasSource(automation, { organization, list, column });
  if (!isKept || blocked?.endsWith('_off')) return { packs: [], last: undefined };
  if ((blocked && blocked !== 'no_key') || endOfQuiet(state.organization, minute)) return 'waits';
  const { rules } = timedOf(state, list, automation);
  const all = triggers.rangeOfMinutes(0, MINUTES_OF_DAY);
  const { rows, last } = await triggers.triggerPage(table, { listId: list, column }, all, { most, after });
  const before = startOfMinute(Date.parse(since));
  const due = rows.filter(({ instant, zone }) => {
    const first = firstOccurrence(instant, rules(zone));
    return first && first.at.getTime() < before;
  });
  const source = { list, column, automation: id, existing: since };
  const items = due.map(row => ({ ...source, hash: row.hash, trigger: triggers.triggerText(row) }));
  return { packs: packsOf({ organization, minute: minuteOf(minute) }, items), last };
}
