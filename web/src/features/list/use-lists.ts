import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import type { EmailList } from '../../../../shared/list.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { useOrganizationCall, useOrganizationData } from '../../lib/data.ts';
import { isMissing } from '../../lib/problem.ts';
import { store } from '../../lib/store.ts';
import { dismissAbout, toast, toastUndoable } from '../../lib/toasts.ts';

const MISSING = 'Email list not found';
const ALL = 'GET /api/email-lists';
const ONE = 'GET /api/email-lists/{list}';

/** Counts follow what programs add, so they are asked for again while a list is looked at. */
const COUNTED_EVERY = 10_000;

export const useLists = () => useOrganizationData(ALL);

/** A list for the page about it, which alone asks: where there is none, it is left, and left once. */
export function useList(id: string, { counting = false } = {}) {
  const { data, error } = useOrganizationData(
    ONE,
    { params: { list: id } },
    { refreshInterval: counting ? COUNTED_EVERY : 0 },
  );
  useLeaveMissing(error, data !== undefined, {
    missing: MISSING,
    failed: 'Failed to fetch email list details',
  });
  // What was typed about a list that is gone does not hold anybody back.
  return isMissing(error) ? undefined : data;
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

const changing = store<readonly string[]>([]);

/**
 * Activates or deactivates a list: shown at once, taken back where it fails, and undone on a word. One change of a
 * list at a time, so that none overtakes another. Where the list is gone, `onMissing` leads on.
 */
export function useActivation(onMissing?: () => unknown) {
  const call = useOrganizationCall();
  const keep = useKeepList();
  const drop = useDropList();
  const busy = changing.use();

  async function change(list: EmailList, active: boolean): Promise<void> {
    await keep({ ...list, active });
    try {
      const changed = await call('PUT /api/email-lists/{list}', {
        params: { list: list.id },
        body: { active },
      });
      await keep(changed);
      const said = active ? `${list.name} is active.` : `${list.name} is not active: nothing is sent to it.`;
      toastUndoable(said, () => void activate(changed, !active), list.id);
    } catch (problem) {
      if (!isMissing(problem)) {
        await keep(list);
        return toast('Failed to update list. Please try again', 'error');
      }
      await drop(list.id);
      toast(MISSING, 'error');
      onMissing?.();
    }
  }

  async function activate(list: EmailList, active: boolean) {
    if (changing.get().includes(list.id)) return;
    dismissAbout(list.id);
    changing.set([...changing.get(), list.id]);
    await change(list, active).finally(() => changing.set(changing.get().filter(id => id !== list.id)));
  }

  return { activate, isChanging: (id: string) => busy.includes(id) };
}
