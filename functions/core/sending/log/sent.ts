import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as sent from '#core/recipient/sent.store.ts';
import type * as batchStore from '../batch/batch.store.ts';
import * as batchId from '../batch/batch-id.ts';
import type * as manifest from '../batch/manifest.ts';
import * as outcomeStore from '../batch/outcome.ts';
import { daysOf, type Filter, isHappened, isWanted, matches } from './filter.ts';
import type { LogPart, Reading } from './log.store.ts';
import { newOpens, type Opens } from './opens.ts';
import type { Position } from './position.ts';
import { endOf, type Row, type RowPart } from './row.ts';

type Needs = { now: Date };

// Each claim costs a read unit, and most callers want the newest 25 emails.
const CLAIMS_AT_ONCE = 100;
const MOST_CLAIMS = 5_000;

type Candidate = {
  send: manifest.Send;
  head: batchStore.Head;
  position: Position;
  outcome: outcomeStore.Outcome;
  days: { first: string; last: string };
};

/** The emails of batches, in their order. */
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
      const some = opens
        ? opens.take(candidates, CLAIMS_AT_ONCE)
        : { taken: candidates, seen: candidates.length };
      const last = candidates[some.seen - 1];
      candidates = candidates.slice(some.seen);
      const { rows, read } = await wantedRows(reading, filter, some.taken, opens);
      claimsLeft -= read;
      const isDone = candidates.length === 0;
      yield {
        rows,
        reached: isDone || !last ? reached : last.position,
        since: isDone || !last ? since : batchId.parseBatchId(last.head.batch).minute,
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
    if (!outcome || !mayEndAs(filter, outcome)) return [];
    return [{ send, head, outcome, days, position: { key: head.batch, count: place + 1 } }];
  });
}

/** An unknown email may have been settled since, as its claim says. */
const mayEndAs = ({ status }: Filter, outcome: outcomeStore.Outcome) =>
  status === undefined || isHappened(status) || outcome.status === status || outcome.status === 'unknown';

/** A claim is read only if the batch does not say everything that the filter asks for. */
const needsClaim = ({ status, from = '', to = '~' }: Filter, { outcome, days }: Candidate) =>
  isHappened(status) || outcome.status === 'unknown' || days.first < from || to < days.last;

async function wantedRows(
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
    if (needsClaim(filter, candidate) && !(claim && isWanted(filter, claim))) {
      // An unknown email is shown even if its claim is gone.
      if (claim || candidate.outcome.status !== 'unknown' || isHappened(filter.status)) return [];
    }
    const outcome = outcomeStore.settledOutcome(candidate.outcome, claim) ?? candidate.outcome;
    const { status } = filter;
    if (status !== undefined && !isHappened(status) && outcome.status !== status) return [];
    if (claim) opens?.countFound(claim);
    return [
      {
        id,
        position,
        hash,
        seq,
        list: head.list_id,
        automation: head.automation_id,
        end: endOf(outcome, head.at),
      },
    ];
  });
  return { rows, read: open.length };
}
