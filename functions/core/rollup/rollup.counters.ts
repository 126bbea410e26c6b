import type { Counter } from '../projection/projection.ts';
import type { Marks } from '../recipient/recipient.ts';
import { type Counted, type Counts, rollupCounters } from './rollup.ts';

/** As what a mark of a claim is counted. What machines do is counted nowhere, and that it was sent by who settles it. */
const COUNTED_AS: Partial<Record<keyof Marks, Counted>> = {
  opened_at: 'opened',
  first_clicked_at: 'clicked',
  unsub_clicked_at: 'unsub_clicked',
  unsubscribed_at: 'unsubscribed',
  bounced_at: 'bounced',
  complained_at: 'complained',
};
export const COUNTED_MARKS = Object.keys(COUNTED_AS) as (keyof Marks)[];

export const countsOf = (marks: (keyof Marks)[]): Counts =>
  Object.fromEntries(marks.flatMap(mark => (COUNTED_AS[mark] ? [[COUNTED_AS[mark], 1]] : [])));

/** A claim as far as it is counted. */
export type CountedClaim = { at: string; combination: string; released: boolean; marks: (keyof Marks)[] };

type Change = {
  organization_id: number;
  before: CountedClaim | undefined;
  after: CountedClaim | undefined;
};

/** What the new marks of a claim add to the rollup of its combination. */
export function markCounters({ organization_id: organization, before, after }: Change): Counter[] {
  if (!before || !after || after.released) return [];
  const counts = countsOf(after.marks.filter(mark => !before.marks.includes(mark)));
  if (Object.keys(counts).length === 0) return [];
  const { at, combination } = after;
  // Nearly always the rollup exists, since it counts what was sent: then this needs no other item.
  return rollupCounters({ organization, combination }, [[at.slice(0, 10), counts]]).map(counter => ({
    ...counter,
    guard: counter.key,
    organization,
  }));
}
