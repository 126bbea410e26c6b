import * as journal from '#core/recipient/journal.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as batches from '../batch/read.ts';
import { type Filter, isHappened, isWanted } from './filter.ts';
import type { Reading } from './log.store.ts';
import { notOfThisLog, type Position } from './position.ts';
import { endOf, type Row, type RowPart } from './row.ts';

type Needs = { now: Date };

/** The emails to one recipient, from their journal. */
export async function* rowsOfRecipient(
  { now }: Needs,
  { table, organization, start }: Reading,
  { hash, ...filter }: Filter & { hash: string },
): AsyncGenerator<RowPart> {
  const key = { organization, hash };
  // Positions of the log descend. The sort key of an entry ascends, so a position has the number of the entry instead.
  const before = start && seqOf(start);
  for await (const { claims, isEnd, reached } of journal.newestClaims(table, key, before)) {
    const wanted = claims.filter(claim => isWanted(filter, claim));
    const outcomes = await batches.readOutcomes({ table, now }, key, wanted);
    const rows = wanted.flatMap((claim): Row[] => {
      const outcome = outcomes.get(claim.seq);
      if (!outcome || (filter.status && !isHappened(filter.status) && outcome.status !== filter.status))
        return [];
      return [
        {
          id: recipientKey.claimId({ hash, seq: claim.seq }),
          position: positionOf(claim.seq),
          hash,
          seq: claim.seq,
          list: claim.list_id,
          automation: claim.automation_id,
          end: endOf(outcome, outcome.head.at),
        },
      ];
    });
    const last = claims.at(-1);
    yield {
      rows,
      reached: isEnd ? undefined : positionOf(reached),
      since: isEnd ? undefined : last?.at.slice(0, MINUTE),
    };
  }
}

const MINUTE = '2030-01-01T09:30'.length;
const DIGITS = 10;

/** The number of the entry at which the previous page ended. A cursor of another log, which has an instant, is refused. */
function seqOf({ key }: Position): number {
  if (!/^\d{10}$/.test(key)) throw notOfThisLog();
  return Number(key);
}
const positionOf = (seq: number): Row['position'] => ({ key: String(seq).padStart(DIGITS, '0'), count: 1 });
