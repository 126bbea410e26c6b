import { useOrganizationData } from '../../lib/data.ts';
import { useRepeat } from '../../lib/use-repeat.ts';

/** The comparisons of all automations: their days are mostly over, and reading them all costs something. */
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
