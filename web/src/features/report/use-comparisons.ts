import { useState } from 'react';
import { useOrganizationData } from '../../lib/data.ts';

/** The comparisons of all automations: their days are mostly over, and reading them all costs something. */
export function useComparisons() {
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/comparisons',
    {},
    {
      revalidateOnFocus: false,
    },
  );
  const [isAskedAgain, setAskedAgain] = useState(false);

  async function repeat() {
    setAskedAgain(true);
    await mutate().catch(() => undefined);
    setAskedAgain(false);
  }

  return {
    comparisons: data,
    problem: data || isAskedAgain ? undefined : (error as unknown),
    repeat: () => void repeat(),
  };
}
