import type { Interval } from '../../automation/due/due.ts';
import type { Source } from '../../automation/source/source.ts';
import { inParallel } from '../../parallel.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Pack } from '../pack/pack.ts';
import { collect, earliest } from './collect.ts';
import * as store from './sweep.store.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
/** Longer than a run takes. */
const LEASE = 70 * 1000;
const MOST_AT_ONCE = 5;

type Needs = {
  table: Table;
  now: Date;
  hasTime: () => boolean;
  /** Resolves when the queue has accepted the packs. */
  queue: (packs: Pack[]) => Promise<void>;
  newId: () => string;
  /** An organization could not be swept, and is swept again. */
  failed: (organization: number, error: unknown) => void;
};

export type Swept = {
  watermark: Date;
  moved: boolean;
  /** Before this instant a run has nothing to do, as long as nothing is written; null: it never has. */
  next: Date | null;
};

/**
 * Queues what fell due in the minutes that have closed since the last run. The watermark moves after the queue has
 * accepted their packs. An organization that fails is noted as behind and swept again on its own, so that it holds nobody
 * up. What is queued twice is sent once.
 */
export async function sweep(needs: Needs): Promise<Swept> {
  const { table, now, newId } = needs;
  const holder = newId();
  const isMine = await store.takeLease(table, holder, now, new Date(now.getTime() + LEASE));
  const { swept, sources, behind } = await store.read(table);
  const closed = lastClosedMinute(now);
  const until = new Date(closed.getTime() + MINUTE);
  // The first run looks back as far as anything is still sent: the runs before it may have died.
  const from = swept ? new Date(swept.getTime() + MINUTE) : new Date(closed.getTime() - 24 * HOUR);
  if (!isMine) return { watermark: swept ?? closed, moved: false, next: now };
  const byOrganization = Map.groupBy(sources, ({ organization }) => organization);
  const ready = [...byOrganization].filter(([organization]) => !behind.has(organization));
  let watermark = swept;
  let next: Date[] | undefined;
  for (const span of spansOf(from, until)) {
    const after: Date[] = [];
    await inParallel(ready, MOST_AT_ONCE, async ([organization, some]) => {
      if (behind.has(organization) || (await isSwept(needs, organization, some, span, after))) return;
      behind.set(organization, span.from);
      await store.markBehind(table, organization, span.from);
    });
    watermark = new Date(span.until.getTime() - MINUTE);
    await store.moveWatermark(table, watermark);
    next = after;
    if (!needs.hasTime()) break;
  }
  const end = new Date((watermark ?? closed).getTime() + MINUTE);
  await catchUp(needs, behind, byOrganization, end);
  await store.endLease(table, holder);
  const hasLooked = next && end.getTime() === until.getTime() && behind.size === 0;
  return {
    watermark: watermark ?? closed,
    moved: watermark !== swept,
    next: hasLooked || sources.length === 0 ? whenClosed(earliest(next ?? [])) : now,
  };
}

/** What falls due in a minute is swept when that has ended. */
const whenClosed = (minute: Date | undefined): Date | null =>
  minute ? new Date(minute.getTime() + MINUTE) : null;

/** Whether all that is due in an organization is queued. */
async function isSwept(
  needs: Needs,
  organization: number,
  sources: Source[],
  span: Interval,
  /** Gets the minute in which more may be due. */
  next: Date[] = [],
): Promise<boolean> {
  try {
    const collected = await collect(needs, organization, sources, span);
    if (collected.packs.length > 0) await needs.queue(collected.packs);
    if (collected.next) next.push(collected.next);
    return true;
  } catch (error) {
    needs.failed(organization, error);
    return false;
  }
}

/** Sweeps the organizations that are behind, each as far as it goes. */
async function catchUp(
  needs: Needs,
  behind: Map<number, Date>,
  sources: Map<number, Source[]>,
  until: Date,
): Promise<void> {
  await inParallel([...behind], MOST_AT_ONCE, async ([organization, since]) => {
    let from = since;
    for (const span of spansOf(since, until)) {
      if (!needs.hasTime()) return;
      if (!(await isSwept(needs, organization, sources.get(organization) ?? [], span))) return;
      if (span.until < until) await store.moveBehind(needs.table, organization, from, span.until);
      else await store.unmarkBehind(needs.table, organization, from);
      from = span.until;
    }
  });
}

/** An interval in parts of one hour of the day each. */
function spansOf(from: Date, until: Date): Interval[] {
  const spans: Interval[] = [];
  for (let at = from.getTime(); at < until.getTime(); ) {
    const next = Math.min((Math.floor(at / HOUR) + 1) * HOUR, until.getTime());
    spans.push({ from: new Date(at), until: new Date(next) });
    at = next;
  }
  return spans;
}

/** The beginning of the latest minute in which nothing can fall due any more. */
export const lastClosedMinute = (now: Date) => new Date(Math.floor(now.getTime() / MINUTE) * MINUTE - MINUTE);
