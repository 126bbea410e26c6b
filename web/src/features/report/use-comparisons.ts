import { useOrganizationData } from '#web/lib/data.ts';
import { useRepeat } from '#web/lib/use-action.ts';

/** The comparisons of all automations. Not revalidated, as most of their days are over and reading them is expensive. */
export function useComparisons() {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/comparisons',
    {},
    {
      revalidateOnFocus: false,
    },
  );
  const { isRepeating, repeat } = useRepeat(mutate);

  return {
    comparisons: data,
    problem: data || isRepeating ? undefined : (error as unknown),
    repeat: () => void repeat(),
  };
}
