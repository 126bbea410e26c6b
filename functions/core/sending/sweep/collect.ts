import type { StoredAutomation } from '../../automation/automation/automation.ts';
import * as automations from '../../automation/automation/automation.ts';
import { copyDelays, dueOccurrences, type Interval } from '../../automation/due/due.ts';
import { deleteSource, type Source } from '../../automation/source/source.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import { type Found, minuteOf, type Pack, packsOf } from '../pack/pack.ts';
import { offReason, readSwitches, type Switches } from '../switches/switches.ts';

const MINUTE = 60 * 1000;
const MINUTES = 24 * 60;
const DAY = MINUTES * MINUTE;

export type Collected = {
  packs: Pack[];
  /** Before this minute nothing falls due after the span, as things are; undefined where nothing ever does. */
  next: Date | undefined;
};

/**
 * What is due in an organization within one hour of the day, or a part of it, as packs: from the trigger rows of its
 * sources alone, whatever the size of their lists.
 */
export async function collect(
  { table, newId }: { table: Table; newId: () => string },
  organization: number,
  sources: Source[],
  span: Interval,
): Promise<Collected> {
  const switches = await currentSwitches(table, organization, sources, span);
  const found: (Found & { minute: string })[] = [];
  const next: Date[] = [];
  for (const ofColumn of Map.groupBy(sources, ({ list, column }) => `${list}#${column}`).values()) {
    const sending = await sendingOf(table, switches, ofColumn, span);
    const [first] = ofColumn;
    if (startsNext(switches, ofColumn, sending, span)) next.push(span.until);
    if (!first || sending.length === 0) continue;
    for await (const { hash, instant } of rowsDue(table, first, sending, span, next)) {
      for (const automation of sending) {
        for (const { at } of dueOccurrences(instant, automation, span)) {
          const { list, column } = first;
          const trigger = minuteOf(instant);
          found.push({ hash, list, column, automation: automation.id, trigger, minute: minuteOf(at) });
        }
      }
    }
  }
  const byMinute = [...Map.groupBy(found, ({ minute }) => minute)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    packs: byMinute.flatMap(([minute, some]) => packsOf({ organization, minute, newId }, some)),
    next: earliest(next),
  };
}

/**
 * What is on may be what was on a moment ago, since the sender looks again. What is off is so now: else what is due would be
 * lost that was just switched on.
 */
async function currentSwitches(
  table: Table,
  organization: number,
  sources: Source[],
  { until }: Interval,
): Promise<Switches> {
  const seen = await readSwitches(table, organization, sources, { consistent: false });
  const areOn = sources.every(({ list, automation }) => maySend(seen, list, automation, until));
  return areOn ? seen : readSwitches(table, organization, sources);
}

/** Whether what is due before an instant is queued; for want of a key it is skipped by the sender, who says so. */
function maySend(switches: Switches, list: string, automation: string, until: Date): boolean {
  const off = offReason(switches, list, automation, new Date(until.getTime() - MINUTE));
  return !off || off === 'no_key';
}

export const earliest = (instants: Date[]): Date | undefined =>
  instants.length > 0 ? new Date(Math.min(...instants.map(Number))) : undefined;

/** Whether one of the sources that may not send within the span may do so after it. */
const startsNext = (
  switches: Switches,
  sources: Source[],
  sending: StoredAutomation[],
  { until }: Interval,
): boolean =>
  sources.some(
    ({ list, automation }) =>
      !sending.some(({ id }) => id === automation) && !offReason(switches, list, automation, until),
  );

/** The automations that may send from a column. A source that is left over is deleted. */
async function sendingOf(
  table: Table,
  switches: Switches,
  sources: Source[],
  { until }: Interval,
): Promise<StoredAutomation[]> {
  const sending: StoredAutomation[] = [];
  for (const source of sources) {
    const automation = switches.automations.get(source.automation);
    const isLeftOver =
      !switches.lists.has(source.list) || !automation || !automations.hasSource(automation, source);
    if (isLeftOver) {
      if (switches.organization)
        await deleteSource(table, source, automation && automations.unchangedCheck(table, automation));
      continue;
    }
    if (maySend(switches, source.list, source.automation, until)) sending.push(automation);
  }
  return sending;
}

/**
 * Each row from which something may be due: of copies, those of six and twelve hours before too. Adds to `next` when more
 * may be.
 */
async function* rowsDue(
  table: Table,
  source: Source,
  sending: StoredAutomation[],
  span: Interval,
  next: Date[],
): AsyncGenerator<recipient.Trigger> {
  const { list, column } = source;
  const length = (span.until.getTime() - span.from.getTime()) / MINUTE;
  for (const delay of new Set(sending.flatMap(copyDelays))) {
    const from = new Date(span.from.getTime() - delay);
    const minute = minuteOfDay(from);
    const { rows, isAll } = await recipient.firstTriggers(table, list, column, minute);
    const beyond = rows.find(({ instant }) => minuteOfDay(instant) >= minute + length);
    if (beyond || isAll) {
      yield* rows.filter(({ instant }) => minuteOfDay(instant) < minute + length);
      const after = beyond ? minuteOfDay(beyond.instant) : MINUTES;
      next.push(new Date(span.from.getTime() + (after - minute) * MINUTE));
    } else {
      for await (const page of manyRows(table, source, sending, { from, length, first: rows })) yield* page;
      next.push(span.until);
    }
  }
}

const minuteOfDay = (instant: Date) => instant.getUTCHours() * 60 + instant.getUTCMinutes();

type Span = { from: Date; length: number; first: recipient.Trigger[] };

/**
 * The rows of so many minutes of a day, of which the first are read already; of a single one, where the automations send
 * seldom, only those of some days.
 */
async function* manyRows(
  table: Table,
  { list, column }: Source,
  sending: StoredAutomation[],
  { from, length, first }: Span,
): AsyncGenerator<recipient.Trigger[]> {
  const minute = minuteOfDay(from);
  const days = length === 1 ? daysDue(sending, from) : undefined;
  if (!days) {
    yield first;
    return yield* recipient.triggersBetween(table, list, column, [minute, minute + length], first.at(-1));
  }
  for (const day of days.days) yield* recipient.triggersAt(table, list, column, minute, { day });
  yield* recipient.triggersAt(table, list, column, minute, { until: days.until });
}

/** From how many days between two emails on, the days that may be due are read one by one. */
const SELDOM = 28;
const MOST_DAYS = 16;

/**
 * The days that members' dates must have to be due in a minute, where the automations send seldom: the newest of them, and
 * the day until which all rows are read.
 */
function daysDue(sending: StoredAutomation[], at: Date): { days: string[]; until: string } | undefined {
  if (sending.some(({ every_x_days }) => every_x_days < SELDOM)) return undefined;
  const each = Math.floor(MOST_DAYS / sending.length);
  if (each < 2) return undefined;
  const dayBefore = (days: number) => new Date(at.getTime() - days * DAY).toISOString().slice(0, 10);
  const days = sending.flatMap(({ delay_days, every_x_days }) =>
    Array.from({ length: each }, (_, k) => delay_days + k * every_x_days),
  );
  // Beyond the last that is read for one automation, another may have skipped none.
  const oldest = Math.min(...sending.map(({ delay_days, every_x_days }) => delay_days + each * every_x_days));
  const read = [...new Set(days)].filter(day => day < oldest);
  return { days: read.map(dayBefore), until: dayBefore(oldest) };
}
