import { useMemo } from 'react';
import { useReadCache } from '../../lib/data.ts';

/** A member as the table of members showed them, if that was loaded, and the list that it belongs to. */
export function useKnownMember(id: string) {
  const readCache = useReadCache();
  return useMemo(() => {
    const lists = readCache('GET /api/email-lists/{list}').map(({ data }) => data);
    for (const { input, data } of readCache('GET /api/email-lists/{list}/members')) {
      const row = data.data.find(member => member.id === id);
      if (row) return { ...row, email_list: lists.find(list => list.id === input?.params.list) };
    }
    return undefined;
  }, [readCache, id]);
}
