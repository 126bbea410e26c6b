import * as recipient from '#core/recipient/recipient.key.ts';
import type { ListedMark } from '../marked.store.ts';
import { type Filter, isOnDays, matches } from './filter.ts';
import { newestMarked, type Reading } from './log.store.ts';
import type { RowPart } from './row.ts';

/** The emails with a mark, from the entries that the log has for this mark. */
export async function* happenedRows(
  reading: Reading,
  mark: ListedMark,
  filter: Filter,
): AsyncGenerator<RowPart> {
  for await (const { entries, reached, since } of newestMarked(reading, mark, filter)) {
    const wanted = entries.filter(({ email }) => matches(filter, email) && isOnDays(filter, email.at));
    yield {
      rows: wanted.map(({ key, email: { hash, seq, list, automation } }) => ({
        id: recipient.claimId({ hash, seq }),
        position: { key, count: 1 },
        hash,
        seq,
        list,
        automation,
      })),
      reached,
      since,
    };
  }
}
