import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import type { EmailList } from '../../../../shared/list.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { useOrganizationCall, useOrganizationData } from '../../lib/data.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';

const ALL = 'GET /api/email-lists';
const ONE = 'GET /api/email-lists/{list}';

/** Counts follow what programs add, so they are asked for again while a list is looked at. */
const COUNTED_EVERY = 10_000;

export const useLists = () => useOrganizationData(ALL);

/** A list for a page about it; where there is none, the page is left. */
export function useList(id: string, { counting = false } = {}) {
  const { data, error, mutate } = useOrganizationData(
    ONE,
    { params: { list: id } },
    { refreshInterval: counting ? COUNTED_EVERY : 0 },
  );
  useLeaveMissing(error, data !== undefined, {
    missing: 'Email list not found',
    failed: 'Failed to fetch email list details',
  });
  return { list: data, refresh: mutate };
}

/** Shows a list as it is now, wherever it is shown. */
export function useKeepList() {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (list: EmailList) => {
      const among = (lists?: EmailList[]) => lists?.map(other => (other.id === list.id ? list : other));
      await mutate<EmailList[]>(key => isOf(key, ALL), among, { revalidate: false });
      await mutate(key => isOf(key, ONE, list.id), list, { revalidate: false });
    },
    [mutate],
  );
}

/** Shows a list no more that was just deleted. */
export function useDropList() {
  const { mutate } = useSWRConfig();
  return useCallback(
    (id: string) => {
      const without = (lists?: EmailList[]) => lists?.filter(list => list.id !== id);
      return mutate<EmailList[]>(key => isOf(key, ALL), without, { revalidate: false });
    },
    [mutate],
  );
}

const isOf = (key: unknown, route: string, list?: string) =>
  Array.isArray(key) && key[2] === route && (list === undefined || key[3]?.params.list === list);

/** Activates or deactivates a list: shown at once, taken back where it fails, and undone on a word. */
export function useActivation() {
  const call = useOrganizationCall();
  const keep = useKeepList();

  return async function activate(list: EmailList, active: boolean): Promise<void> {
    await keep({ ...list, active });
    try {
      const changed = await call('PUT /api/email-lists/{list}', {
        params: { list: list.id },
        body: { active },
      });
      await keep(changed);
      toastUndoable(
        active ? `${list.name} is active.` : `${list.name} is not active: nothing is sent to it.`,
        () => void activate(changed, !active),
      );
    } catch {
      await keep(list);
      toast('Failed to update list. Please try again', 'error');
    }
  };
}
