import { chunksOf } from '#core/parallel.ts';
import * as sent from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import type { Counts } from '#core/sending/rollup.ts';
import * as rollup from '#core/sending/rollup.ts';
import { DAY } from '#shared/time.ts';
import * as batchStore from '../batch/batch.store.ts';
import * as outcomeStore from '../batch/outcome.ts';
import { type LogPart, minuteIn, type Reading } from './log.store.ts';
import {
  ALL,
  daysOf,
  endOf,
  type Filter,
  isHappened,
  isMatch,
  isOfStatus,
  isOpened,
  matches,
  type Position,
  type Row,
  type RowPart,
  type Span,
  spanOf,
} from './query.ts';

type Needs = { now: Date };

const DAYS_AT_ONCE = 25;
/** What is older is read without asking the reports. */
const MOST_DAYS = 400;

/** The due minutes of wanted emails. For the sent or opened ones of a combination: of the days for which reports count any. */
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
  for (const chunk of chunksOf(days, DAYS_AT_ONCE)) {
    const counts = await rollup.readCounts(table, organization, chunk, combination);
    const isCounted = (day: string) =>
      (counts.get(day)?.get(combination)?.[status satisfies keyof Counts] ?? 0) > 0;
    for (const day of chunk.filter(isCounted)) {
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

const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);

/** At the end of a span, `reached` is a position from which the next span continues. */
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
        const since = minuteIn(span.from ?? '');
        held = { ...part, reached: { key: since, count: ALL }, since };
      } else yield part;
    }
    // The queries were used up before the end of the span.
    if (!held && reading.left.queries <= 0) return;
  }
  if (held) yield { ...held, reached: undefined, since: undefined };
}

// Each claim costs a read unit, and most callers want the newest 25 emails.
const CLAIMS_AT_ONCE = 100;
const MOST_CLAIMS = 5_000;

type Candidate = {
  send: batchStore.Send;
  head: batchStore.Head;
  position: Position;
  outcome: outcomeStore.Outcome;
  isRejected: boolean;
  days: { first: string; last: string };
};

export async function* sentRows(
  { now }: Needs,
  reading: Reading,
  filter: Filter,
  parts: AsyncIterable<LogPart<batchStore.Batch>>,
): AsyncGenerator<RowPart> {
  const opens = newOpens(reading, filter);
  let claimsLeft = MOST_CLAIMS;
  for await (const { entries, reached, since } of parts) {
    let candidates = entries.flatMap(batch => candidatesIn(batch, filter, now));
    await opens?.load(candidates.flatMap(({ days }) => [days.first, days.last]));
    for (let isFirst = true; isFirst || candidates.length > 0; isFirst = false) {
      const { taken, seen } = opens
        ? opens.take(candidates, CLAIMS_AT_ONCE)
        : { taken: candidates, seen: candidates.length };
      const last = candidates[seen - 1];
      candidates = candidates.slice(seen);
      const { rows, read } = await matchingRows(reading, filter, taken, opens);
      claimsLeft -= read;
      const isDone = candidates.length === 0;
      yield {
        rows,
        reached: isDone || !last ? reached : last.position,
        since: isDone || !last ? since : batchStore.parseBatchId(last.head.batch).minute,
      };
      if (claimsLeft <= 0 && !(isDone && reached === undefined)) return;
    }
  }
}

function candidatesIn(batch: batchStore.Batch, filter: Filter, now: Date): Candidate[] {
  const { head, sends } = batch;
  const { from = '', to = '~' } = filter;
  const days = daysOf(batch);
  if (days.last < from || to < days.first) return [];
  if (!matches(filter, { list: head.list_id, automation: head.automation_id })) return [];
  return sends.flatMap((send, place): Candidate[] => {
    if (!matches(filter, { combination: send.combination })) return [];
    const outcome = outcomeStore.outcomeOf(batch, send, now);
    const isRejected = batch.rejected?.has(recipientKey.claimId(send)) ?? false;
    if (!outcome || !(isRejected || mayEndAs(filter, outcome))) return [];
    return [{ send, head, outcome, isRejected, days, position: { key: head.batch, count: place + 1 } }];
  });
}

/** An unknown email may have been settled since, as its claim says. */
const mayEndAs = (filter: Filter, outcome: outcomeStore.Outcome) =>
  isOfStatus(filter, outcome) || outcome.status === 'unknown';

/** A claim is read only if the batch does not say everything that the filter asks for. */
const needsClaim = ({ status, from = '', to = '~' }: Filter, { outcome, isRejected, days }: Candidate) =>
  isRejected || isHappened(status) || outcome.status === 'unknown' || days.first < from || to < days.last;

async function matchingRows(
  { table, organization }: Reading,
  filter: Filter,
  candidates: Candidate[],
  opens: Opens | undefined,
): Promise<{ rows: Row[]; read: number }> {
  const open = candidates.filter(candidate => needsClaim(filter, candidate));
  const found = await sent.readClaims(
    table,
    open.map(({ send: { hash, seq } }) => ({ key: { organization, hash }, seq })),
  );
  const claims = new Map(
    found.map(({ hash, claim }) => [recipientKey.claimId({ hash, seq: claim.seq }), claim]),
  );
  const rows = candidates.flatMap((candidate): Row[] => {
    const { send, head, position } = candidate;
    const { hash, seq } = send;
    const id = recipientKey.claimId({ hash, seq });
    const claim = claims.get(id);
    if (needsClaim(filter, candidate) && !(claim && isMatch(filter, claim))) {
      // An unknown email is shown even if its claim is gone.
      if (claim || candidate.outcome.status !== 'unknown' || isHappened(filter.status)) return [];
    }
    const outcome = outcomeStore.settledOutcome(candidate.outcome, claim) ?? candidate.outcome;
    if (!isOfStatus(filter, outcome, claim)) return [];
    if (claim) opens?.countFound(claim);
    const { list_id: list, automation_id: automation } = head;
    return [{ id, position, hash, seq, list, automation, end: endOf(outcome, head) }];
  });
  return { rows, read: open.length };
}

/**
 * The opens that the reports count for each day and combination, less those that were found. When all of them are found, no
 * more claims of that day and combination are read, so the log shows what the reports count.
 */
function newOpens(
  { table, organization }: Pick<Reading, 'table' | 'organization'>,
  { combination, status }: Filter,
) {
  if (!isOpened(status)) return undefined;
  const left = new Map<string, Map<string, number>>();
  const leftOf = (day: string, combination: string) => left.get(day)?.get(combination) ?? 0;
  const mayBeOpened = ({ send, days: { first, last } }: Candidate) =>
    leftOf(first, send.combination) > 0 ||
    leftOf(last, send.combination) > 0 ||
    // If the batch was begun more than a day after its due minute, an email may also count on a day in between.
    Date.parse(last) - Date.parse(first) > DAY;
  return {
    async load(days: string[]): Promise<void> {
      const unknown = [...new Set(days)].filter(day => !left.has(day));
      if (unknown.length === 0) return;
      const found = await rollup.readCounts(table, organization, unknown, combination);
      for (const day of unknown) {
        const counts = [...(found.get(day) ?? [])];
        left.set(day, new Map(counts.map(([id, { [status]: opened = 0 }]) => [id, opened])));
      }
    },
    /** `seen` counts the candidates before the next one to look at. */
    take(candidates: Candidate[], most: number): { taken: Candidate[]; seen: number } {
      const taken: Candidate[] = [];
      for (const [index, candidate] of candidates.entries()) {
        if (taken.length === most) return { taken, seen: index };
        if (mayBeOpened(candidate)) taken.push(candidate);
      }
      return { taken, seen: candidates.length };
    },
    countFound({ at, combination: id }: journal.Claim): void {
      const ofDay = left.get(at.slice(0, 10));
      ofDay?.set(id, (ofDay.get(id) ?? 0) - 1);
    },
  };
}
type Opens = NonNullable<ReturnType<typeof newOpens>>;
