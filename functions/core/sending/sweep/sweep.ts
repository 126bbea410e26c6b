import { newId } from '#core/id.ts';
import { inParallel } from '#core/parallel.ts';
import { FIRST_SHARD } from '#core/sources/shard.ts';
import type { Start } from '#core/sources/source.ts';
import { STALE, STORED_WITHIN, SWEEP_LEASE, SWEPT_BACK } from '#core/times.ts';
import { MINUTE } from '#shared/time.ts';
import {
  byAge,
  isDone,
  lastClosedMinute,
  type Mark,
  minuteAfter,
  noLaterThan,
  type Position,
} from './position.ts';
import * as store from './sweep.store.ts';
import { MOST_AT_ONCE, type Needs as NeedsOfTurns, type Swept, storeBehind, takeTurns } from './turns.ts';

/** Makes the sweep of all shards continue after a minute. What was due before is not queued any more. */
export async function skipTo({ table }: Pick<Needs, 'table'>, minute: Date): Promise<void> {
  const { others } = await store.read(table, FIRST_SHARD);
  await inParallel([FIRST_SHARD, ...others], MOST_AT_ONCE, shard => store.skipTo(table, shard, minute));
}

/** How old the watermark of a shard with nothing to sweep may be. */
export const MOST_IDLE = 10 * MINUTE;

type Needs = NeedsOfTurns & {
  now: Date;
  /** Reports minutes that are too old to be swept. */
  tooOld: (missed: Missed) => void;
};

/** Minutes of one organization, or of all. */
export type Missed = { from: Date; until: Date; organization?: number };

export type Outcome = {
  shard: number;
  /** Another run has the lease: this one has done nothing. */
  isHeld: boolean;
  watermark: Date;
  moved: boolean;
  /** How many minutes the watermark was behind when the run began. */
  lag: number;
  /** How many organizations are behind after it. */
  behind: number;
  packs: number;
  /** When the next run has something to do, if nothing is written before; null: never. */
  next: Date | null;
};

/** Sweeps the first shard, and starts a run for each other one at the same time. */
export async function sweepAll(
  needs: Needs & { sweepOthers: (shards: number[]) => Promise<void> },
): Promise<Outcome> {
  const known = await store.read(needs.table, FIRST_SHARD);
  const { others } = known;
  const [begun, swept] = await Promise.allSettled([
    others.length > 0 ? needs.sweepOthers(others) : undefined,
    sweepKnown(needs, FIRST_SHARD, known),
  ]);
  for (const one of [begun, swept]) if (one.status === 'rejected') throw one.reason;
  const outcome = (swept as PromiseFulfilledResult<Outcome>).value;
  return others.length > 0 ? { ...outcome, next: needs.now } : outcome;
}

/** Queues what fell due in the organizations of a shard, in the minutes that have closed since the last run. */
export const sweep = async (needs: Needs, shard: number): Promise<Outcome> =>
  sweepKnown(needs, shard, await store.read(needs.table, shard));

/**
 * All organizations are swept up to the watermark, except those marked as behind, each of which has its own position. They
 * are marked before the watermark moves, and a position is stored once the queue has accepted all that is due before it:
 * a run may die anywhere, and what is queued twice is sent once.
 */
async function sweepKnown(needs: Needs, shard: number, known: store.Shard): Promise<Outcome> {
  const { table, now } = needs;
  const run = { shard, holder: newId(), now };
  const swept = store.sweptOf(known);
  const closed = lastClosedMinute(now);
  // Another machine may have closed a minute that has not ended by the clock of this one.
  const to = swept && swept >= closed ? swept : closed;
  const lag = swept ? (to.getTime() - swept.getTime()) / MINUTE : 0;
  const none = { shard, isHeld: false, watermark: swept ?? to, moved: false, lag, behind: 0, packs: 0 };
  if (known.sources.length === 0 && known.behind.size === 0) {
    // Without a watermark, the first organization of this shard would be read from a day ago on.
    const moved =
      (!swept || lag * MINUTE > MOST_IDLE) && (await store.moveIdleWatermark(table, run, known, to));
    return { ...none, watermark: moved ? to : none.watermark, moved, lag: 0, next: null };
  }
  const held = { ...none, isHeld: true, next: now };
  // The first run reads back as far as anything is still sent: earlier runs may have failed to reach the table.
  const from = swept ?? new Date(to.getTime() - STALE);
  const end = new Date(now.getTime() + SWEEP_LEASE);
  if (!(await store.takeLease(table, run, known, { end, swept: from }))) return held;
  // If the previous run did not release its lease, it may have stored marks since they were read.
  const behind = known.stored?.until ? await store.readBehind(table, shard) : known.behind;
  const until = minuteAfter(to);
  const all = organizationsOf(needs, { ...known, behind }, { from: minuteAfter(from), to });
  await takeTurns(needs, { shard, now, until }, all);
  const left = all.filter(({ position }) => !isDone(position, until));
  await inParallel(left, MOST_AT_ONCE, one => storeBehind(table, run, one));
  const caughtUp = all.filter(one => !left.includes(one)).flatMap(markOf);
  if (!(await store.endRun(table, run, to, new Map(caughtUp)))) return held;
  const packs = all.reduce((sum, one) => sum + one.packs, 0);
  const next = left.length === 0 ? nextOf(all, now) : now;
  return { ...none, watermark: to, moved: to !== swept, behind: left.length, packs, next };
}

const markOf = ({ organization, marked }: Swept): [number, Mark][] =>
  marked ? [[organization, marked]] : [];

/** The organizations of a shard: first those that are not behind, then the others. */
function organizationsOf(
  { tooOld }: Needs,
  { sources, starts, behind }: store.Shard,
  { from, to }: { from: Date; to: Date },
): Swept[] {
  const byOrganization = Map.groupBy(sources, ({ organization }) => organization);
  const oldest = new Date(to.getTime() - SWEPT_BACK);
  const isLate = from < oldest;
  const ready = [...byOrganization.keys()].filter(organization => !behind.has(organization));
  if (isLate && ready.length > 0) tooOld({ from, until: oldest });
  const late = [...behind].sort(([, a], [, b]) => byAge(a, b));
  const startsOf = Map.groupBy(starts, ({ organization }) => organization);
  const startedLate = (organization: number, seen: Date) =>
    earliest(startsOf.get(organization), Math.max(seen.getTime() - STORED_WITHIN, oldest.getTime()));
  const newSwept = (organization: number, position: Position, marked?: Mark): Swept => ({
    organization,
    position,
    marked,
    sources: byOrganization.get(organization) ?? [],
    state: undefined,
    part: undefined,
    next: undefined,
    packs: 0,
    due: 0,
    isOver: false,
  });
  return [
    ...rotated(ready, to).map(organization =>
      newSwept(organization, noLaterThan(startedLate(organization, from), { from: isLate ? oldest : from })),
    ),
    ...late.map(([organization, marked]) => {
      if (marked.from >= oldest) {
        const seen = marked.seen < from ? marked.seen : from;
        return newSwept(organization, noLaterThan(startedLate(organization, seen), marked), marked);
      }
      if (byOrganization.has(organization)) tooOld({ organization, from: marked.from, until: oldest });
      return newSwept(organization, { from: oldest }, marked);
    }),
  ];
}

/**
 * The first switch-on that may have been stored after the previous run had read its shard. What fell due since then is read
 * again.
 */
function earliest(starts: Start[] = [], after: number): Date | undefined {
  const late = starts.map(({ since }) => since.getTime()).filter(since => since >= after);
  return late.length > 0 ? new Date(Math.min(...late)) : undefined;
}

/** Begins at another organization each minute: if the time runs out, those without a turn are not the same each time. */
function rotated<T>(all: T[], minute: Date): T[] {
  const at = Math.floor((minute.getTime() / MINUTE) * STRIDE) % Math.max(all.length, 1);
  return [...all.slice(at), ...all.slice(0, at)];
}

// A prime, so that the first turn goes through all organizations, whatever their number.
const STRIDE = 389;

/** When the next run has something to queue: when the minute in which it is due has ended. */
function nextOf(all: Swept[], now: Date): Date | null {
  if (all.some(({ next }) => !next)) return now;
  const next = all.flatMap(one => one.next ?? []);
  return next.length > 0 ? minuteAfter(new Date(Math.min(...next.map(Number)))) : null;
}
