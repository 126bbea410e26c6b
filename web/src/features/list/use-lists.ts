import { mutate } from 'swr';
import type { EmailList } from '../../../../shared/list.ts';
import { LIST_MISSING } from '../../components/use-list.ts';
import { isKeyOf } from '../../lib/cache-key.ts';
import { useOrganizationCall, useOrganizationData, useReadCache } from '../../lib/data.ts';
import { oneAtATime } from '../../lib/one-at-a-time.ts';
import { isMissing, serverMessageOr } from '../../lib/problem.ts';
import { dismissToastsAbout, toast, toastUndoable } from '../../lib/toasts.ts';

const ALL = 'GET /api/email-lists';
const ONE = 'GET /api/email-lists/{list}';

export const useLists = () => useOrganizationData(ALL);

/** A list as the table of lists showed it, if that was loaded. */
export function useKnownList(id: string) {
  const [lists] = useReadCache()(ALL);
  return lists?.data.find(list => list.id === id);
}

/** Updates a list in all cached responses. */
export async function updateListInCache(list: EmailList) {
  const replaced = (lists?: EmailList[]) => lists?.map(other => (other.id === list.id ? list : other));
  const isOfList = (key: unknown) => isKeyOf(key, ONE) && key.input?.params.list === list.id;
  await mutate<EmailList[]>(key => isKeyOf(key, ALL), replaced, { revalidate: false });
  await mutate(isOfList, list, { revalidate: false });
}

/** Removes a deleted list from the cached list of lists. */
export function removeListFromCache(id: string) {
  const without = (lists?: EmailList[]) => lists?.filter(list => list.id !== id);
  return mutate<EmailList[]>(key => isKeyOf(key, ALL), without, { revalidate: false });
}

const changes = oneAtATime();

/**
 * Activates or deactivates a list: an optimistic update, rolled back on failure, with an Undo in its toast. One request
 * for a list at a time, so that they arrive in order. After a 404, `onMissing` may navigate away.
 */
export function useActivation(onMissing?: () => unknown) {
  const call = useOrganizationCall();
  const isChanging = changes.useIsChanging();

  async function change(list: EmailList, active: boolean): Promise<void> {
    await updateListInCache({ ...list, active });
    try {
      const changed = await call('PUT /api/email-lists/{list}', {
        params: { list: list.id },
        body: { active },
      });
      await updateListInCache(changed);
      toastUndoable({
        message: active ? `${list.name} is active.` : `${list.name} is inactive: nothing is sent to it.`,
        joined: count => `${count} lists are ${active ? 'active' : 'inactive: nothing is sent to them'}.`,
        undo: () => void activate(changed, !active),
        about: list.id,
      });
    } catch (problem) {
      if (!isMissing(problem)) {
        await updateListInCache(list);
        return toast(serverMessageOr(problem, 'Failed to update list. Please try again'), 'error');
      }
      await removeListFromCache(list.id);
      toast(LIST_MISSING, 'error');
      onMissing?.();
    }
  }

  const activate = (list: EmailList, active: boolean) =>
    changes.run(list.id, () => {
      dismissToastsAbout(list.id);
      return change(list, active);
    });

  return { activate, isChanging };
}
