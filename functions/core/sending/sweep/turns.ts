import type { Source } from '../../automation/source/source.ts';
import { inParallel } from '../../parallel.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Pack } from '../pack/pack.ts';
import type { SendingState } from '../state/state.ts';
import { type Bounds, type Part, readPart } from './part.ts';
import { isDone, type Mark, type Position } from './position.ts';
import { currentStates, usedSources } from './sending.ts';
import { mark } from './sweep.store.ts';

/** What one turn reads: a page of rows, for a second at most, so that all have a turn in a run. */
const PART = { rows: 5_000, due: 20_000 };
/** What a run queues for one organization, and what the page has beyond it: so the queue has room for the others. */
const MOST_PACKS = 100;
const MOST_DUE = 100_000;

/** Whose lists and automations are read together: those of 100 organizations, or of so many sources. */
const MOST_TOGETHER = 100;
const MOST_SOURCES = 1_000;
export const MOST_AT_ONCE = 10;
/** A request of the queue takes ten packs: with fewer, those of several organizations share one. */
const FEW_PACKS = 10;

export type Needs = {
  table: Table;
  hasTime: () => boolean;
  /** Resolves when the queue has accepted the packs. */
  queue: (packs: Pack[]) => Promise<void>;
  /** An organization could not be swept, and is swept again. */
  failed: (organization: number, error: unknown) => void;
  /** What a turn reads, where it is to be less. */
  part?: Pick<Bounds, 'rows' | 'due'>;
};

/** An organization in a run. */
export type Swept = {
  organization: number;
  sources: Source[];
  position: Position;
  /** Its mark, as it was read or stored. */
  marked: Mark | undefined;
  /** From its first turn on. */
  state: SendingState | undefined;
  /** Read, and not queued yet. */
  part: Part | undefined;
  /** What is queued for it in this run. */
  packs: number;
  due: number;
  /** Of its last turn: see `Part`. */
  next: Date[] | undefined;
  /** It gets no more turns in this run. */
  isOver: boolean;
};

/** Since when it runs, and before which minute what is due is queued. */
type Run = { shard: number; now: Date; until: Date };

/**
 * Gives turns to all in the line until the time is over, a part of what is due to each at a time: whoever has more goes to
 * its end. So what is due in one organization costs the others no more than the time of a part.
 */
export async function takeTurns(needs: Needs, run: Run, all: Swept[]): Promise<void> {
  const hasMore = ({ position, isOver }: Swept) => !isOver && !isDone(position, run.until);
  let line = all.filter(hasMore);
  while (line.length > 0 && needs.hasTime()) {
    const [together, others] = split(line);
    await takeTurn(needs, run, together);
    line = [...others, ...together.filter(hasMore)];
  }
}

/** The first ones of a line, as many as are read together, and the others. */
function split(line: Swept[]): [Swept[], Swept[]] {
  let sources = 0;
  const end = line.findIndex((one, at) => {
    sources += one.sources.length;
    return at === MOST_TOGETHER || (at > 0 && sources > MOST_SOURCES);
  });
  return end < 0 ? [line, []] : [line.slice(0, end), line.slice(end)];
}

async function takeTurn(needs: Needs, run: Run, together: Swept[]): Promise<void> {
  const ready = await forAll(needs, together, some => readSendingState(needs, run, some));
  await inParallel(ready, MOST_AT_ONCE, one => alone(needs, one, () => readNext(needs, run, one)));
  const read = ready.filter(({ part }) => part);
  const queued = await forAll(needs, read, some => queueParts(needs, some));
  await inParallel(queued, MOST_AT_ONCE, one => alone(needs, one, () => move(needs, run, one)));
}

/**
 * Works for all of them at once; where that fails, for each alone, so that it fails for those who are the reason. Answers
 * those for whom it did not.
 */
async function forAll(needs: Needs, all: Swept[], work: (some: Swept[]) => Promise<void>): Promise<Swept[]> {
  const [first, ...others] = all;
  if (!first) return [];
  if (others.length === 0) return (await alone(needs, first, () => work(all))) ? all : [];
  try {
    await work(all);
    return all;
  } catch {
    const done = await inParallel(
      all,
      MOST_AT_ONCE,
      async one => needs.hasTime() && alone(needs, one, () => work([one])),
    );
    return all.filter((_, at) => done[at]);
  }
}

/** Whether it worked for an organization; where not, it gets no more turns, and holds nobody up. */
async function alone(needs: Needs, one: Swept, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    one.isOver = true;
    needs.failed(one.organization, error);
    return false;
  }
}

/** Once a run: what is on now may be so for the rest of it, as the sender looks again. */
async function readSendingState({ table }: Needs, { until }: Run, some: Swept[]): Promise<void> {
  const unread = some.filter(({ state, sources }) => !state && sources.length > 0);
  if (unread.length === 0) return;
  const wanted = new Map(unread.map(({ organization, sources }) => [organization, sources]));
  const found = await currentStates(table, wanted, until);
  await inParallel(unread, MOST_AT_ONCE, async one => {
    const state = found.get(one.organization);
    if (state) one.sources = await usedSources(table, state, one.sources);
    one.state = state;
  });
}

/** Of many packs no request has room for those of others. */
async function readNext(needs: Needs, run: Run, one: Swept): Promise<void> {
  const { hasTime, part: most = PART } = needs;
  if (!hasTime()) return;
  const bounds = { ...most, due: Math.min(most.due, MOST_DUE - one.due), minutes: MOST_PACKS - one.packs };
  one.part = await readPart(needs, one, one.position, run.until, bounds);
  if (one.part.packs.length < FEW_PACKS) return;
  await queueParts(needs, [one]);
  await move(needs, run, one);
}

async function queueParts({ queue }: Needs, some: Swept[]): Promise<void> {
  const packs = some.flatMap(({ part }) => part?.packs ?? []);
  if (packs.length > 0) await queue(packs);
}

/** After the queue has accepted a part: where more is left, whoever goes on begins here. */
async function move({ table }: Needs, run: Run, one: Swept): Promise<void> {
  const { part } = one;
  if (!part) return;
  one.part = undefined;
  one.position = part.position;
  one.next = part.next;
  one.packs += part.packs.length;
  one.due += part.due;
  one.isOver = one.packs >= MOST_PACKS || one.due >= MOST_DUE;
  if (!isDone(one.position, run.until)) await noteBehind(table, run, one);
}

/** Notes where an organization goes on that is behind, unless that is noted already. */
export async function noteBehind(
  table: Table,
  { shard, now }: Pick<Run, 'shard' | 'now'>,
  one: Swept,
): Promise<void> {
  const { organization, marked, position } = one;
  if (marked === position) return;
  const noted = { ...position, seen: now };
  const isNoted = await mark(table, shard, organization, marked, noted);
  // Another run may have noted something else: that is true as well, and stays.
  if (!isNoted) one.isOver = true;
  else Object.assign(one, { position: noted, marked: noted });
}
