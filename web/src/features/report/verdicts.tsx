import type { ComparedBy, Comparisons } from '#shared/comparisons.ts';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { formatDay } from './report-range.ts';

/** The comparisons of all automations. Not revalidated, as most of their days are over and reading them is expensive. */
export function useComparisons(by: ComparedBy = 'clicks') {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/comparisons',
    { query: { by } },
    { revalidateOnFocus: false, keepPreviousData: true },
  );
  const { isRepeating, repeat } = useRepeat(mutate);

  return {
    comparisons: data,
    problem: data || isRepeating ? undefined : (error as unknown),
    repeat: () => void repeat(),
  };
}

export const COMPARISONS_NOT_LOADED = 'Failed to load comparisons. Please try again.';

export function ComparisonNote({ since }: Pick<Comparisons, 'since'>) {
  return (
    <WithHelpTip
      word={`Of emails sent since ${formatDay(since)}, of each automation by itself, whatever the range of the report`}
    >
      Each one is compared with all others together, day by day, without the days on which the content was
      changed. It may be looked at every day: of the differences named on this page, and of their sizes, at
      most 5% are false on average.
    </WithHelpTip>
  );
}
