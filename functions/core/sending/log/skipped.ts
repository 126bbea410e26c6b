import { instantOf } from '../pack.ts';
import type { SkippedSend } from '../skip.store.ts';
import { type Filter, isOnDays, matches } from './filter.ts';
import { newestSkips, type Reading } from './log.store.ts';
import type { Row, RowPart } from './row.ts';

/** One row for each occurrence, even if two packs have skipped it. */
export async function* skippedRows(reading: Reading, filter: Filter): AsyncGenerator<RowPart> {
  // A skipped email has no combination.
  if (filter.combination) return;
  let known = new Set<string>();
  let minute = '';
  for await (const { entries, reached, since } of newestSkips(reading, filter)) {
    const rows: Row[] = [];
    for (const { key, skips } of entries) {
      for (const [place, skip] of skips.entries()) {
        if (skip.minute !== minute) [known, minute] = [new Set(), skip.minute];
        const id = [skip.minute, skip.hash, skip.list, skip.automation].join('.');
        if (known.has(id)) continue;
        known.add(id);
        const isWanted = matches(filter, skip) && isOnDays(filter, skip.minute);
        if (isWanted) rows.push(rowOf(skip, id, { key, count: place + 1 }));
      }
    }
    yield { rows, reached, since };
  }
}

const rowOf = (
  { minute, hash, list, automation, reason }: SkippedSend,
  id: string,
  position: Row['position'],
): Row => ({
  id,
  position,
  hash,
  list,
  automation,
  end: { status: 'skipped', reason, at: instantOf(minute).toISOString() },
});
