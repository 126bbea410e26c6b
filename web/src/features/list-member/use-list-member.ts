import type { ListMember } from '../../../../shared/list-member.ts';
import type { MetadataChange } from '../../../../shared/metadata.ts';
import { changed, entriesOf } from '../../../../shared/metadata.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { useDrop, useOrganizationCall, useOrganizationData, useRefresh } from '../../lib/data.ts';
import { saidOr } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { entriesIn, metadataOf } from './metadata-value.ts';

/** A member for the page about it; where there is none, the page is left. */
export function useListMember(id: string) {
  const {
    data: member,
    error,
    mutate,
  } = useOrganizationData('GET /api/list-members/{listMember}', {
    params: { listMember: id },
  });
  const call = useOrganizationCall();
  const refresh = useRefresh();
  const drop = useDrop();
  useLeaveMissing(error, member !== undefined, {
    missing: 'Member not found',
    failed: 'Failed to fetch member details',
  });

  /** Shown at once; taken back where it fails. */
  async function put(body: { is_subscribed?: boolean; metadata?: MetadataChange }) {
    await mutate(call('PUT /api/list-members/{listMember}', { params: { listMember: id }, body }), {
      optimisticData: before => after(before ?? member, body),
      revalidate: false,
    });
  }

  async function subscribe(is_subscribed: boolean): Promise<void> {
    try {
      await put({ is_subscribed });
      toastUndoable(is_subscribed ? 'Subscribed.' : 'Unsubscribed.', () => void subscribe(!is_subscribed));
    } catch (problem) {
      toast(saidOr(problem, 'Failed to update subscription status'), 'error');
    }
    // An undo may come when the page has been left for the list.
    void refresh(
      'GET /api/list-member-actions',
      'GET /api/email-lists/{list}/members',
      'GET /api/email-lists/{list}',
    );
  }

  async function remove() {
    await call('DELETE /api/list-members/{listMember}', { params: { listMember: id } });
    void drop('GET /api/email-lists/{list}/members');
  }

  return { member, put, subscribe, remove };
}

function after(member: ListMember | undefined, body: { is_subscribed?: boolean; metadata?: MetadataChange }) {
  if (!member) throw new Error('Nothing is changed before it is shown.');
  const { is_subscribed = member.is_subscribed, metadata = {} } = body;
  return {
    ...member,
    is_subscribed,
    metadata: entriesOf(changed(metadataOf(entriesIn(member.metadata)), metadata)),
  };
}
