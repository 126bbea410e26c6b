import type { Comparing } from '#shared/comparisons.ts';
import type { Verdict } from '#shared/report/significance.ts';

export const COMPARISONS_NOT_LOADED = 'Failed to load comparisons. Please try again.';

/** The texts for the verdict on a row. */
export const VERDICT_TEXTS: Record<Verdict, string> = {
  better: 'Clicks better than the rest',
  worse: 'Clicks worse than the rest',
  no_difference: 'No difference found',
  not_enough_data: 'Not enough data yet',
};

export const howItIsCompared = (since: string) =>
  `Clicks per emails sent since ${since}, each one against all others together, day by day. It may be looked at every day: a difference that is not there is named in at most 5% of cases. The range of the report does not change it.`;

type Rows = Comparing['rows'];

/** The label of an id: its name, with the id if another row has the same name. */
export function labelsOf(rows: Rows): (id: string) => string {
  const byName = Map.groupBy(rows, ({ name }) => name);
  const names = new Map(
    rows.map(({ id, name }) => {
      // Isolated, so that a right-to-left name does not change the direction of the sentence.
      const shown = `“\u2068${name}\u2069”`;
      return [id, name === '' ? id : (byName.get(name)?.length ?? 0) > 1 ? `${shown} (${id})` : shown];
    }),
  );
  return id => names.get(id) ?? id;
}
