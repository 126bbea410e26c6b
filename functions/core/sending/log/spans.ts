import { chunksOf } from '#core/chunks.ts';
import type { Counts } from '#core/counters/rollup.ts';
import * as rollup from '#core/counters/rollup.ts';
import { DAY } from '#shared/time.ts';
import { type Filter, isOpened, type Span, spanOf } from './filter.ts';
import type { LogPart, Reading } from './log.store.ts';
import { ALL } from './position.ts';

const MINUTE = '2030-01-01T09:30'.length;
const DAYS_AT_ONCE = 25;
/** What is older is read without asking the reports. */
const MOST_DAYS = 400;

const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);

/**
 * The spans of due minutes in which wanted emails may be, newest first. For the sent or opened emails of a combination,
 * these are the days for which the reports count any.
 */
export async function* spansOf(
  { table, organization }: Pick<Reading, 'table' | 'organization'>,
  now: Date,
  filter: Filter,
): AsyncGenerator<Span> {
  const { combination, status } = filter;
  if (!combination || !(status === 'sent' || isOpened(status))) {
    yield spanOf(filter);
    return;
  }
  // The clock of a sender may be ahead of this one.
  const tomorrow = dayBefore(now.toISOString(), -1);
  const last = filter.to && filter.to < tomorrow ? filter.to : tomorrow;
  const first = filter.from ?? (await rollup.firstAndLast(table, organization))?.first ?? last;
  let open: Span | undefined;
  const count = Math.min(MOST_DAYS, (Date.parse(last) - Date.parse(first)) / DAY + 1);
  const days = Array.from({ length: Math.max(0, count) }, (_, at) => dayBefore(last, at));
  for (const some of chunksOf(days, DAYS_AT_ONCE)) {
    const counts = await rollup.readCounts(table, organization, some, combination);
    const isCounted = (day: string) =>
      (counts.get(day)?.get(combination)?.[status satisfies keyof Counts] ?? 0) > 0;
    for (const day of some.filter(isCounted)) {
      const span = spanOf({ from: day, to: day });
      const isAdjacent = open?.from !== undefined && `${day}~` >= open.from;
      if (open && !isAdjacent) yield open;
      open = { from: span.from, to: isAdjacent ? open?.to : span.to };
    }
  }
  if (open) yield open;
  const earliest = days.at(-1);
  if (earliest && first < earliest) yield spanOf({ from: first, to: dayBefore(earliest, 1) });
}

/** Reads one span after another. At the end of a span, `reached` is a position from which the next span continues. */
export async function* overSpans<Entry>(
  reading: Reading,
  spans: AsyncIterable<Span>,
  read: (span: Span) => AsyncIterable<LogPart<Entry>>,
): AsyncGenerator<LogPart<Entry>> {
  let held: LogPart<Entry> | undefined;
  for await (const span of spans) {
    if (held) yield held;
    held = undefined;
    for await (const part of read(span)) {
      if (part.reached === undefined) {
        const since = (span.from ?? '').slice(0, MINUTE);
        held = { ...part, reached: { key: since, count: ALL }, since };
      } else yield part;
    }
    // The queries were used up before the end of the span.
    if (!held && reading.left.queries <= 0) return;
  }
  if (held) yield { ...held, reached: undefined, since: undefined };
}
