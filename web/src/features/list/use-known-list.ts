import { useMemo } from 'react';
import { useReadCache } from '../../lib/data.ts';

/** A list as the table of lists showed it, if that was loaded. */
export function useKnownList(id: string) {
  const readCache = useReadCache();
  return useMemo(
    () => readCache('GET /api/email-lists').flatMap(({ data }) => data.filter(list => list.id === id))[0],
    [readCache, id],
  );
}
