import * as rollup from '#core/counters/rollup.ts';
import type * as journal from '#core/recipient/journal.ts';
import { DAY } from '#shared/time.ts';
import type { Send } from '../batch/manifest.ts';
import { type Filter, isOpened } from './filter.ts';
import type { Reading } from './log.store.ts';

type Candidate = { send: Send; days: { first: string; last: string } };

/**
 * The opens that the reports count for each day and combination, less those that were found. When all of them are found, no
 * more claims of that day and combination are read, so the log shows what the reports count. Undefined if the filter does
 * not ask for opens.
 */
export function newOpens(
  { table, organization }: Pick<Reading, 'table' | 'organization'>,
  { combination, status }: Filter,
) {
  if (!isOpened(status)) return undefined;
  const left = new Map<string, Map<string, number>>();
  const leftOf = (day: string, of: string) => left.get(day)?.get(of) ?? 0;
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
        left.set(day, new Map(counts.map(([of, { [status]: opened = 0 }]) => [of, opened])));
      }
    },
    /**
     * The first candidates that may be opened, up to `most`, and how many candidates come before the next one to look at.
     */
    take<C extends Candidate>(candidates: C[], most: number): { taken: C[]; seen: number } {
      const taken: C[] = [];
      for (const [at, candidate] of candidates.entries()) {
        if (taken.length === most) return { taken, seen: at };
        if (mayBeOpened(candidate)) taken.push(candidate);
      }
      return { taken, seen: candidates.length };
    },
    countFound({ at, combination: of }: journal.Claim): void {
      const ofDay = left.get(at.slice(0, 10));
      ofDay?.set(of, (ofDay.get(of) ?? 0) - 1);
    },
  };
}
export type Opens = NonNullable<ReturnType<typeof newOpens>>;
