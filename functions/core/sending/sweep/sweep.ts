import { newId } from '#core/id.ts';
import { inParallel } from '#core/parallel.ts';
import { FIRST_SHARD, type Source, type Start } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { STALE, STORED_WITHIN, SWEEP_LEASE, SWEPT_BACK } from '#core/timeouts.ts';
import { MINUTE } from '#shared/time.ts';
import type { SendingState } from '../state.ts';
import { type Bounds, currentStates, keepUsedSources, type Part, readPart } from './part.ts';
import { type Needs as PassNeeds, runPasses } from './passes.ts';
import * as store from './sweep.store.ts';
import {
  byAge,
  isDone,
  lastClosedMinute,
  type Mark,
  minuteAfter,
  noLaterThan,
  type Position,
  storeMark,
} from './sweep.store.ts';

/** How old the watermark of a shard with nothing to sweep may be. */
export const MOST_IDLE = 10 * MINUTE;

type Needs = Omit<PassNeeds, 'part'> & {
  /** Reports minutes that are too old to be swept. */
  tooOld: (missed: Missed) => void;
  /** Overrides `PART`. */
  part?: Pick<Bounds, 'rows' | 'due'>;
};

/** Of one organization, or of all. */
export type Missed = { from: Date; until: Date; organization?: number };

export type Outcome = {
  shard: number;
  /** Another run has the lease: nothing was done. */
  isHeld: boolean;
  watermark: Date;
  moved: boolean;
  /** How many minutes the watermark was behind when the run began. */
  lag: number;
  behind: number;
  packs: number;
  /** When the next run has something to do, if nothing is written before; null: never. */
  next: Date | null;
};

export async function sweepAll(
  needs: Needs & { sweepOthers: (shards: number[]) => Promise<void> },
): Promise<Outcome> {
  const known = await store.read(needs.table, FIRST_SHARD);
  const { others } = known;
  const [begun, swept] = await Promise.allSettled([
    others.length > 0 ? needs.sweepOthers(others) : undefined,
    sweepKnown(needs, FIRST_SHARD, known),
  ]);
  for (const result of [begun, swept]) if (result.status === 'rejected') throw result.reason;
  const outcome = (swept as PromiseFulfilledResult<Outcome>).value;
  return others.length > 0 ? { ...outcome, next: needs.now } : outcome;
}

export const sweep = async (needs: Needs, shard: number): Promise<Outcome> =>
  sweepKnown(needs, shard, await store.read(needs.table, shard));

/**
 * Organizations that are behind are marked before the watermark moves, and a position is stored once the queue has accepted
 * what is due before it: a run may die anywhere, and what is queued twice is sent once.
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
    const { packs, next } = await runPasses(needs, rotated(known.passes, to));
    return { ...none, watermark: moved ? to : none.watermark, moved, lag: 0, packs, next: firstOf(next) };
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
  await inParallel(left, MOST_AT_ONCE, organization => storeBehind(table, run, organization));
  const caughtUp = all.filter(organization => !left.includes(organization)).flatMap(markOf);
  if (!(await store.endRun(table, run, to, new Map(caughtUp), takenBy(all, known, until)))) return held;
  // After what falls due, so that they delay none of it.
  const passed = await runPasses(needs, rotated(known.passes, to));
  const packs = all.reduce((sum, organization) => sum + organization.packs, passed.packs);
  const next = left.length > 0 ? now : firstOf([...nextOf(all, now), ...passed.next]);
  return { ...none, watermark: to, moved: to !== swept, behind: left.length, packs, next };
}

const markOf = ({ organization, marked }: Swept): [number, Mark][] =>
  marked ? [[organization, marked]] : [];

/** The late starts that later runs need not take into account. A position that another run stored may not have seen them. */
function takenBy(all: Swept[], { starts }: store.Shard, until: Date): Start[] {
  const isKept = ({ position, marked }: Swept) => isDone(position, until) || marked === position;
  const kept = new Set(all.filter(isKept).map(({ organization }) => organization));
  const earliestLate = until.getTime() - STORED_WITHIN;
  return starts.filter(
    ({ organization, since }) => kept.has(organization) && since.getTime() >= earliestLate,
  );
}

/** First those that are not behind, then the others. */
function organizationsOf(
  { tooOld }: Needs,
  { stored, sources, starts, behind }: store.Shard,
  { from, to }: { from: Date; to: Date },
): Swept[] {
  const byOrganization = Map.groupBy(sources, ({ organization }) => organization);
  const oldest = new Date(to.getTime() - SWEPT_BACK);
  const isLate = from < oldest;
  const ready = [...byOrganization.keys()].filter(organization => !behind.has(organization));
  if (isLate && ready.length > 0) tooOld({ from, until: oldest });
  const late = [...behind].sort(([, a], [, b]) => byAge(a, b));
  const startsOf = Map.groupBy(starts, ({ organization }) => organization);
  const startedLate = (organization: number, seen: Date) => {
    const after = Math.max(seen.getTime() - STORED_WITHIN, oldest.getTime());
    const late = startsOf.get(organization)?.filter(({ since }) => since.getTime() >= after);
    return earliest(late?.filter(start => !store.isTaken({ stored }, start)));
  };
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

/** The first switch-on that the previous run has missed. What fell due since then is read again. */
const earliest = (late: Start[] = []): Date | undefined =>
  late.length > 0 ? new Date(Math.min(...late.map(({ since }) => since.getTime()))) : undefined;

/** Begins at another organization each minute: if the time runs out, those without a turn are not the same each time. */
function rotated<T>(all: T[], minute: Date): T[] {
  const begin = Math.floor((minute.getTime() / MINUTE) * STRIDE) % Math.max(all.length, 1);
  return [...all.slice(begin), ...all.slice(0, begin)];
}

// A prime, so that the first turn goes through all organizations, whatever their number.
const STRIDE = 389;

/** When the minute has ended in which the next email of each is due. */
const nextOf = (all: Swept[], now: Date): Date[] =>
  all.flatMap(({ next }) => next?.map(minuteAfter) ?? [now]);

const firstOf = (instants: Date[]): Date | null =>
  instants.length > 0 ? new Date(Math.min(...instants.map(Number))) : null;

/** What one turn reads at most, in about a second, so that all have a turn in a run. */
const PART = { rows: 5_000, due: 20_000 };
/** What a run queues for one organization, up to the end of a page, so that the queue has room for the others. */
const MOST_PACKS = 100;
const MOST_DUE = 100_000;

const MOST_TOGETHER = 100;
const MOST_SOURCES = 1_000;
export const MOST_AT_ONCE = 10;
/** A request to the queue takes ten packs; organizations with fewer share one. */
const FEW_PACKS = 10;

export type Swept = {
  organization: number;
  sources: Source[];
  position: Position;
  /** Its mark, as it was read or stored. */
  marked: Mark | undefined;
  state: SendingState | undefined;
  part: Part | undefined;
  packs: number;
  due: number;
  /** `Part.next` of its last turn. */
  next: Date[] | undefined;
  /** It gets no more turns in this run. */
  isOver: boolean;
};

/** `until`: what is due before this minute is queued. */
type Run = { shard: number; now: Date; until: Date };

/** Round robin until the time is over: a turn queues one part, so that a large organization delays no other by more. */
async function takeTurns(needs: Needs, run: Run, all: Swept[]): Promise<void> {
  const hasMore = ({ position, isOver }: Swept) => !isOver && !isDone(position, run.until);
  let line = all.filter(hasMore);
  while (line.length > 0 && needs.hasTimeLeft()) {
    const [together, others] = nextTogether(line);
    await takeTurn(needs, run, together);
    line = [...others, ...together.filter(hasMore)];
  }
}

/** The first of a line, as many as are read together, and the others. */
function nextTogether(line: Swept[]): [Swept[], Swept[]] {
  let sources = 0;
  const end = line.findIndex((organization, index) => {
    sources += organization.sources.length;
    return index === MOST_TOGETHER || (index > 0 && sources > MOST_SOURCES);
  });
  return end < 0 ? [line, []] : [line.slice(0, end), line.slice(end)];
}

async function takeTurn(needs: Needs, run: Run, together: Swept[]): Promise<void> {
  const ready = await tryTogether(needs, together, group => readStates(needs, run, group));
  await inParallel(ready, MOST_AT_ONCE, organization =>
    tryOne(needs, organization, () => readNext(needs, run, organization)),
  );
  const read = ready.filter(({ part }) => part);
  const queued = await tryTogether(needs, read, group => queueParts(needs, group));
  await inParallel(queued, MOST_AT_ONCE, organization =>
    tryOne(needs, organization, () => advance(needs, run, organization)),
  );
}

/** If that fails, works on each alone, so that only its cause fails. Returns those that succeeded. */
async function tryTogether(
  needs: Needs,
  all: Swept[],
  work: (group: Swept[]) => Promise<void>,
): Promise<Swept[]> {
  const [first, ...others] = all;
  if (!first) return [];
  if (others.length === 0) return (await tryOne(needs, first, () => work(all))) ? all : [];
  try {
    await work(all);
    return all;
  } catch {
    const done = await inParallel(
      all,
      MOST_AT_ONCE,
      async organization => needs.hasTimeLeft() && tryOne(needs, organization, () => work([organization])),
    );
    return all.filter((_, index) => done[index]);
  }
}

/** Returns whether the work succeeded. If not, the organization gets no more turns in this run. */
async function tryOne(needs: Needs, swept: Swept, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    swept.isOver = true;
    needs.failed(swept.organization, error);
    return false;
  }
}

/** Read once a run: it may become out of date, since the sender checks again. */
async function readStates({ table }: Needs, { until, now }: Run, group: Swept[]): Promise<void> {
  const unread = group.filter(({ state, sources }) => !state && sources.length > 0);
  if (unread.length === 0) return;
  const wanted = new Map(unread.map(({ organization, sources }) => [organization, sources]));
  const found = await currentStates(table, wanted, until);
  await inParallel(unread, MOST_AT_ONCE, async swept => {
    const state = found.get(swept.organization);
    if (state) swept.sources = await keepUsedSources({ table, now }, state, swept.sources);
    swept.state = state;
  });
}

/** The part is queued at once if its packs fill a request of their own. */
async function readNext(needs: Needs, run: Run, swept: Swept): Promise<void> {
  const { hasTimeLeft, part: most = PART } = needs;
  if (!hasTimeLeft()) return;
  const due = Math.min(most.due, MOST_DUE - swept.due);
  const bounds = { ...most, due, minutes: MOST_PACKS - swept.packs };
  swept.part = await readPart(needs, swept, swept.position, run.until, bounds);
  if (swept.part.packs.length < FEW_PACKS) return;
  await queueParts(needs, [swept]);
  await advance(needs, run, swept);
}

async function queueParts({ queue }: Needs, group: Swept[]): Promise<void> {
  const packs = group.flatMap(({ part }) => part?.packs ?? []);
  if (packs.length > 0) await queue(packs);
}

/** Called after the queue has accepted a part. */
async function advance({ table }: Needs, run: Run, swept: Swept): Promise<void> {
  const { part } = swept;
  if (!part) return;
  swept.part = undefined;
  swept.position = part.position;
  swept.next = part.next;
  swept.packs += part.packs.length;
  swept.due += part.due;
  swept.isOver = swept.packs >= MOST_PACKS || swept.due >= MOST_DUE;
  if (!isDone(swept.position, run.until)) await storeBehind(table, run, swept);
}

export async function storeBehind(
  table: Table,
  { shard, now }: Pick<Run, 'shard' | 'now'>,
  swept: Swept,
): Promise<void> {
  const { organization, marked, position } = swept;
  if (marked === position) return;
  const noted = { ...position, seen: now };
  const isStored = await storeMark(table, shard, organization, marked, noted);
  // Another run may have stored another position: it is valid too, and stays.
  if (!isStored) swept.isOver = true;
  else Object.assign(swept, { position: noted, marked: noted });
}

/** What was due before the minute is not queued any more. */
export async function skipTo({ table }: Pick<Needs, 'table'>, minute: Date): Promise<void> {
  const { others } = await store.read(table, FIRST_SHARD);
  await inParallel([FIRST_SHARD, ...others], MOST_AT_ONCE, shard => store.skipTo(table, shard, minute));
}
