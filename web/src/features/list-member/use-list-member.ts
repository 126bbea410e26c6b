import type { ListMember } from '../../../../shared/list-member.ts';
import type { MetadataChange } from '../../../../shared/metadata.ts';
import { changed, entriesOf } from '../../../../shared/metadata.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import {
  clearCache,
  revalidate,
  useOrganizationCall,
  useOrganizationData,
  useReadCache,
} from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { entriesIn, metadataOf } from './metadata-value.ts';

const ONE = 'GET /api/list-members/{listMember}';

/** The member of a page. */
export function useListMember(id: string) {
  const input = { params: { listMember: id } };
  const response = useOrganizationData(ONE, input);
  const { data: member, mutate } = response;
  const call = useOrganizationCall();
  useLeaveMissing(paths.lists(), {
    route: ONE,
    input,
    response,
    noun: 'list member',
    missing: 'Member not found',
    failed: 'Failed to fetch member details',
  });

  /** An optimistic update, rolled back on failure. */
  async function update(body: Change) {
    await mutate(call('PUT /api/list-members/{listMember}', { params: { listMember: id }, body }), {
      optimisticData: current => updated(current ?? member, body),
      revalidate: false,
    });
  }

  async function subscribe(is_subscribed: boolean): Promise<void> {
    try {
      await update({ is_subscribed });
      toastUndoable({
        message: is_subscribed ? 'Subscribed.' : 'Unsubscribed.',
        undo: () => void subscribe(!is_subscribed),
      });
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to update subscription status'), 'error');
    }
    // The user may be on the page of the list when they undo.
    void revalidate(
      'GET /api/list-member-actions',
      'GET /api/email-lists/{list}/members',
      'GET /api/email-lists/{list}',
    );
  }

  async function remove() {
    await call('DELETE /api/list-members/{listMember}', { params: { listMember: id } });
    void clearCache('GET /api/email-lists/{list}/members');
  }

  return { member, update, subscribe, remove };
}

type Change = { is_subscribed?: boolean; metadata?: MetadataChange };

function updated(member: ListMember | undefined, body: Change) {
  if (!member) throw new Error('The member is not loaded yet.');
  const { is_subscribed = member.is_subscribed, metadata = {} } = body;
  return {
    ...member,
    is_subscribed,
    metadata: entriesOf(changed(metadataOf(entriesIn(member.metadata)), metadata)),
  };
}

/** A member as the table of members showed them, if that was loaded, and the list that it belongs to. */
export function useKnownMember(id: string) {
  const readCache = useReadCache();
  const lists = readCache('GET /api/email-lists/{list}').map(({ data }) => data);
  for (const { input, data } of readCache('GET /api/email-lists/{list}/members')) {
    const row = data.data.find(member => member.id === id);
    if (row) return { ...row, email_list: lists.find(list => list.id === input?.params.list) };
  }
  return undefined;
}
