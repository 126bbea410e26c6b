import { inParallel } from '#core/parallel.ts';
import type { Source } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Pack } from '../pack.ts';
import type { SendingState } from '../state.ts';
import { type Bounds, type Part, readPart } from './part.ts';
import { isDone, type Mark, type Position } from './position.ts';
import { currentStates, keepUsedSources } from './sending.ts';
import { storeMark } from './sweep.store.ts';

/** What one turn reads at most, in about a second, so that all have a turn in a run. */
const PART = { rows: 5_000, due: 20_000 };
/** What a run queues for one organization, up to the end of a page, so that the queue has room for the others. */
const MOST_PACKS = 100;
const MOST_DUE = 100_000;

/** How many organizations, or sources, are read together. */
const MOST_TOGETHER = 100;
const MOST_SOURCES = 1_000;
export const MOST_AT_ONCE = 10;
/** A request to the queue takes ten packs; organizations with fewer share one. */
const FEW_PACKS = 10;

export type Needs = {
  table: Table;
  hasTime: () => boolean;
  /** Resolves when the queue has accepted the packs. */
  queue: (packs: Pack[]) => Promise<void>;
  /** Reports an organization that could not be swept; it is retried. */
  failed: (organization: number, error: unknown) => void;
  /** Overrides `PART`. */
  part?: Pick<Bounds, 'rows' | 'due'>;
};

/** An organization in a run. */
export type Swept = {
  organization: number;
  sources: Source[];
  position: Position;
  /** Its mark, as it was read or stored. */
  marked: Mark | undefined;
  /** Read in its first turn. */
  state: SendingState | undefined;
  /** What was read for it and is not queued yet. */
  part: Part | undefined;
  /** What was queued for it in this run. */
  packs: number;
  due: number;
  /** `Part.next` of its last turn. */
  next: Date[] | undefined;
  /** It gets no more turns in this run. */
  isOver: boolean;
};

/** `now`: when the run began. `until`: what is due before this minute is queued. */
type Run = { shard: number; now: Date; until: Date };

/** Round robin until the time is over: a turn queues one part, so that a large organization delays no other by more. */
export async function takeTurns(needs: Needs, run: Run, all: Swept[]): Promise<void> {
  const hasMore = ({ position, isOver }: Swept) => !isOver && !isDone(position, run.until);
  let line = all.filter(hasMore);
  while (line.length > 0 && needs.hasTime()) {
    const [together, others] = nextTogether(line);
    await takeTurn(needs, run, together);
    line = [...others, ...together.filter(hasMore)];
  }
}

/** The first of a line, as many as are read together, and the others. */
function nextTogether(line: Swept[]): [Swept[], Swept[]] {
  let sources = 0;
  const end = line.findIndex((one, at) => {
    sources += one.sources.length;
    return at === MOST_TOGETHER || (at > 0 && sources > MOST_SOURCES);
  });
  return end < 0 ? [line, []] : [line.slice(0, end), line.slice(end)];
}

async function takeTurn(needs: Needs, run: Run, together: Swept[]): Promise<void> {
  const ready = await tryTogether(needs, together, some => readSendingState(needs, run, some));
  await inParallel(ready, MOST_AT_ONCE, one => tryOne(needs, one, () => readNext(needs, run, one)));
  const read = ready.filter(({ part }) => part);
  const queued = await tryTogether(needs, read, some => queueParts(needs, some));
  await inParallel(queued, MOST_AT_ONCE, one => tryOne(needs, one, () => advance(needs, run, one)));
}

/** Works on all together. If that fails, works on each alone, so that only its cause fails. Returns those that succeeded. */
async function tryTogether(
  needs: Needs,
  all: Swept[],
  work: (some: Swept[]) => Promise<void>,
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
      async one => needs.hasTime() && tryOne(needs, one, () => work([one])),
    );
    return all.filter((_, at) => done[at]);
  }
}

/** Returns whether the work succeeded. If not, the organization gets no more turns in this run. */
async function tryOne(needs: Needs, one: Swept, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    one.isOver = true;
    needs.failed(one.organization, error);
    return false;
  }
}

/** Read once a run: it may become out of date, since the sender checks again. */
async function readSendingState({ table }: Needs, { until }: Run, some: Swept[]): Promise<void> {
  const unread = some.filter(({ state, sources }) => !state && sources.length > 0);
  if (unread.length === 0) return;
  const wanted = new Map(unread.map(({ organization, sources }) => [organization, sources]));
  const found = await currentStates(table, wanted, until);
  await inParallel(unread, MOST_AT_ONCE, async one => {
    const state = found.get(one.organization);
    if (state) one.sources = await keepUsedSources(table, state, one.sources);
    one.state = state;
  });
}

/** Reads the next part. It is queued at once if its packs fill a request of their own. */
async function readNext(needs: Needs, run: Run, one: Swept): Promise<void> {
  const { hasTime, part: most = PART } = needs;
  if (!hasTime()) return;
  const bounds = { ...most, due: Math.min(most.due, MOST_DUE - one.due), minutes: MOST_PACKS - one.packs };
  one.part = await readPart(needs, one, one.position, run.until, bounds);
  if (one.part.packs.length < FEW_PACKS) return;
  await queueParts(needs, [one]);
  await advance(needs, run, one);
}

async function queueParts({ queue }: Needs, some: Swept[]): Promise<void> {
  const packs = some.flatMap(({ part }) => part?.packs ?? []);
  if (packs.length > 0) await queue(packs);
}

/** Called after the queue has accepted a part: stores where the next turn or run continues. */
async function advance({ table }: Needs, run: Run, one: Swept): Promise<void> {
  const { part } = one;
  if (!part) return;
  one.part = undefined;
  one.position = part.position;
  one.next = part.next;
  one.packs += part.packs.length;
  one.due += part.due;
  one.isOver = one.packs >= MOST_PACKS || one.due >= MOST_DUE;
  if (!isDone(one.position, run.until)) await storeBehind(table, run, one);
}

/** Stores the position of an organization that is behind, unless it is stored already. */
export async function storeBehind(
  table: Table,
  { shard, now }: Pick<Run, 'shard' | 'now'>,
  one: Swept,
): Promise<void> {
  const { organization, marked, position } = one;
  if (marked === position) return;
  const noted = { ...position, seen: now };
  const isStored = await storeMark(table, shard, organization, marked, noted);
  // Another run may have stored another position: it is valid too, and stays.
  if (!isStored) one.isOver = true;
  else Object.assign(one, { position: noted, marked: noted });
}
