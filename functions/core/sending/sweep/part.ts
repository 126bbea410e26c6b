import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.store.ts';
import { dueOccurrences, type Interval } from '#core/automation/due/occurrences.ts';
import { nextRead } from '#core/automation/due/read-plan.ts';
import { isLack } from '#core/list/providers.ts';
import { inParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { deleteSource, type Source } from '#core/sources/source.ts';
import type { Table } from '#core/storage/table.store.ts';
import { HOUR, MINUTE, MINUTES_OF_DAY, minuteOfDay } from '#shared/time.ts';
import { type DueItem, minuteOf, type Pack, packsOf } from '../pack.ts';
import { blockedBy, readSendingStates, type SendingState, timedOf } from '../state.ts';
import { isByZone, isTimed, type Query, queriesOf, type Ranges } from './queries.ts';
import { isDone, type Position, type ResumePoint, spanAt } from './sweep.store.ts';

/** The most rows, due emails and minutes of a part: it ends with the page that reaches one of them. */
export type Bounds = { rows: number; due: number; minutes: number };

// An empty query takes time too.
const LEAST_ROWS = 50;

export type Part = {
  packs: Pack[];
  due: number;
  position: Position;
  /** The earliest of these is the next minute in which something may fall due. */
  next: Date[];
};

type Organization = { organization: number; sources: Source[]; state: SendingState | undefined };

type Needs = { table: Table; hasTimeLeft: () => boolean };

type Reading = Needs & {
  bounds: Bounds;
  rows: number;
  found: (DueItem & { minute: string })[];
  minutes: Set<string>;
  next: Date[];
};

/** Reads what is due from a position on, within bounds and time: only trigger rows, whatever the size of the lists. */
export async function readPart(
  needs: Needs,
  organization: Organization,
  from: Position,
  until: Date,
  bounds: Bounds,
): Promise<Part> {
  const reading: Reading = { ...needs, bounds, rows: 0, found: [], minutes: new Set(), next: [] };
  let position = from;
  while (!isDone(position, until) && !isOver(reading)) {
    const span = spanAt(position, until);
    // Only the last span says when more is due after the part.
    reading.next = [];
    const resume = await readSpan(reading, organization, span, position.resume);
    position = resume ? { from: span.from, resume } : { from: span.until };
  }
  const { found, next } = reading;
  return { packs: packsIn(organization.organization, found), due: found.length, position, next };
}

const isOver = ({ rows, found, minutes, bounds, hasTimeLeft }: Reading) =>
  rows >= bounds.rows || found.length >= bounds.due || minutes.size >= bounds.minutes || !hasTimeLeft();

function packsIn(organization: number, found: Reading['found']): Pack[] {
  const byMinute = [...Map.groupBy(found, ({ minute }) => minute)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byMinute.flatMap(([minute, items]) => packsOf({ organization, minute }, items));
}

/** Returns where it has stopped; undefined at the end of the span. */
async function readSpan(
  reading: Reading,
  { sources, state }: Organization,
  span: Interval,
  left: ResumePoint | undefined,
): Promise<ResumePoint | undefined> {
  if (!state) return undefined;
  // Only the earlier turn knew when the rows that it read are due next, so the next run reads right after this span.
  if (left) reading.next.push(span.until);
  const byColumn = Map.groupBy(sources, ({ list, column }) => `${list}#${column}`);
  for (const column of [...byColumn.keys()].sort()) {
    const ofColumn = byColumn.get(column) ?? [];
    const [source] = ofColumn;
    if (!source || (left && column < left.column)) continue;
    const sending = sendingOf(state, ofColumn, span);
    if (startsNext(state, ofColumn, sending, span)) reading.next.push(span.until);
    const all = sending.map(automation => timedOf(state, source.list, automation));
    for (const timed of all.filter(isTimed)) {
      reading.next.push(new Date(nextRead(timed, span.until.getTime())));
    }
    for (const { name, ...query } of queriesOf(all, span)) {
      const isLeft = left?.column === column;
      if (isLeft && name < left.query) continue;
      const after = isLeft && name === left.query ? left.after : '';
      const last = await readRows(reading, { source, span, ...query }, after);
      if (last !== undefined) return { until: span.until, column, query: name, after: last };
    }
  }
  return undefined;
}

type Rows = Omit<Query, 'name'> & { source: Source; span: Interval };

/** Returns the last sort key that was read if more rows are left. */
async function readRows(reading: Reading, rows: Rows, after: string): Promise<string | undefined> {
  const { delay, span, source } = rows;
  if (isOver(reading)) return after;
  if (after !== '' || delay === undefined) return readRanges(reading, rows, rows, after);
  const from = new Date(span.from.getTime() - delay);
  const length = (span.until.getTime() - span.from.getTime()) / MINUTE;
  const [minute, { list, column }] = [minuteOfDay(from.getTime()), source];
  const first = await triggers.firstTriggers(reading.table, list, column, minute);
  reading.rows += Math.max(first.rows.length, LEAST_ROWS);
  const isIn = ({ instant }: triggers.Trigger) => minuteOfDay(instant.getTime()) < minute + length;
  const beyond = first.rows.find(row => !isIn(row));
  if (beyond || first.last === undefined) {
    take(reading, rows, first.rows.filter(isIn));
    const next = beyond ? minuteOfDay(beyond.instant.getTime()) : MINUTES_OF_DAY;
    reading.next.push(new Date(span.from.getTime() + (next - minute) * MINUTE));
    return undefined;
  }
  if (rows.isWhole) take(reading, rows, first.rows);
  // Sorts before all rows of these days. It is not empty, so the next turn does not read the first rows again.
  const begin = triggers.rangeOfMinutes(minute, minute).from;
  return readRanges(reading, rows, rows, rows.isWhole ? first.last : begin);
}

async function readRanges(
  reading: Reading,
  rows: Rows,
  { ranges }: Ranges,
  after: string,
): Promise<string | undefined> {
  const source = { listId: rows.source.list, column: rows.source.column, zone: rows.zone };
  if (rows.delay !== undefined) reading.next.push(rows.span.until);
  let last = after;
  for (const range of ranges.filter(({ until }) => until > after)) {
    for (let hasMore = true; hasMore; ) {
      if (isOver(reading)) return last;
      const most = mostRows(reading, rows);
      const page = await triggers.triggerPage(reading.table, source, range, { most, after: last });
      reading.rows += Math.max(page.rows.length, LEAST_ROWS);
      take(reading, rows, page.rows);
      hasMore = page.last !== undefined;
      last = page.last ?? range.until;
    }
  }
  return undefined;
}

/** How many rows the part has room for: each may be due for all automations. */
function mostRows({ bounds, rows, found }: Reading, { automations }: Rows): number {
  const most = Math.min(bounds.rows - rows, Math.ceil((bounds.due - found.length) / automations.length));
  return Math.max(most, Math.min(LEAST_ROWS, bounds.rows));
}

function take(
  { found, minutes }: Reading,
  { source, automations, zone, isOfAllZones, span }: Rows,
  rows: triggers.Trigger[],
): void {
  const { list, column } = source;
  for (const row of rows) {
    for (const timed of automations) {
      // The query of its time zone finds this row.
      if (zone === undefined && row.zone !== undefined && !isOfAllZones && isByZone(timed)) continue;
      const rule = timed.rules(row.zone);
      for (const { at } of dueOccurrences(row.instant, rule, span)) {
        const minute = minuteOf(at);
        const trigger = triggers.triggerText(row);
        minutes.add(minute);
        found.push({ hash: row.hash, list, column, automation: rule.id, trigger, minute });
      }
    }
  }
}

/** A state that says off is read again, consistently. One that says on may be out of date: the sender checks again. */
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
  const off = new Map([...wanted].filter(entry => !isOn(entry)));
  return off.size === 0 ? seen : new Map([...seen, ...(await readSendingStates(table, off))]);
}

/** Without a key or a verified domain it may too: the sender skips it with that reason. */
function maySend(state: SendingState, list: string, automation: string, until: Date): boolean {
  const off = blockedBy(state, { list, automation }, new Date(until.getTime() - MINUTE));
  return !off || isLack(off);
}

// The next run deletes more.
const MOST_DELETED = 20;

/** A change of many automations writes their sources first. */
const LONGEST_CHANGE = HOUR;

/** Returns the sources that an automation still has, and deletes the others, which a process that died has left behind. */
export async function keepUsedSources(
  { table, now }: { table: Table; now: Date },
  state: SendingState,
  sources: Source[],
): Promise<Source[]> {
  // The purge deletes the sources of a deleted organization.
  if (!state.organization) return [];
  const isUsed = (source: Source) => {
    const automation = state.automations.get(source.automation);
    return state.lists.has(source.list) && automation && automations.hasSource(automation, source);
  };
  const isOld = ({ since = '' }: Source) => !(now.getTime() - Date.parse(since) < LONGEST_CHANGE);
  const unused = sources.filter(source => !isUsed(source) && isOld(source)).slice(0, MOST_DELETED);
  await inParallel(unused, MOST_DELETED, source => {
    const automation = state.automations.get(source.automation);
    return deleteSource(table, source, automation && automations.unchangedCheck(table, automation));
  });
  return sources.filter(isUsed);
}

const sendingOf = (state: SendingState, sources: Source[], { until }: Interval): StoredAutomation[] =>
  sources.flatMap(({ list, automation }) =>
    maySend(state, list, automation, until) ? (state.automations.get(automation) ?? []) : [],
  );

const startsNext = (
  state: SendingState,
  sources: Source[],
  sending: StoredAutomation[],
  { until }: Interval,
): boolean =>
  sources.some(
    ({ list, automation }) =>
      !sending.some(({ id }) => id === automation) && !blockedBy(state, { list, automation }, until),
  );
