import { useLocation } from 'react-router';
import type { ListMember } from '#shared/list-member.ts';
import { changed, entriesOf, type MetadataChange } from '#shared/metadata.ts';
import { entriesIn, metadataOf } from '#web/entities/list-member/metadata-value.ts';
import { useLeaveMissing } from '#web/entities/use-leave-missing.ts';
import { useCachedData, useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { isFromList } from './from-list.ts';

const ONE = 'GET /api/list-members/{listMember}';

/** The member of a page. */
export function useListMember(id: string) {
  const input = { params: { listMember: id } };
  const response = useOrganizationData(ONE, input);
  const { data: member, mutate } = response;
  const change = useOrganizationChange();
  useLeaveMissing(paths.lists(), {
    route: ONE,
    input,
    response,
    noun: 'list member',
    missing: 'Member not found',
    failed: 'Failed to fetch member details',
  });

  /** An optimistic update, rolled back on failure: this one alone, as another may have been made meanwhile. */
  async function update(body: Change) {
    const before = member && changeBack(member, body);
    const answer = change('PUT /api/list-members/{listMember}', { params: { listMember: id }, body });
    try {
      await mutate(answer, {
        optimisticData: (_, shown) => updated(shown ?? member, body),
        rollbackOnError: false,
        revalidate: false,
      });
    } catch (problem) {
      await mutate(shown => shown && before && updated(shown, before), { revalidate: false });
      throw problem;
    }
    return answer;
  }

  async function subscribe(is_subscribed: boolean): Promise<void> {
    try {
      const { was_subscribed } = await update({ is_subscribed });
      const message = is_subscribed ? 'Subscribed.' : 'Unsubscribed.';
      if (was_subscribed === is_subscribed) toast(message);
      else toastUndoable({ message, undo: () => void subscribe(!is_subscribed) });
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to update subscription status'), 'error');
    }
  }

  async function remove() {
    await change('DELETE /api/list-members/{listMember}', { params: { listMember: id } });
  }

  return { member, update, subscribe, remove };
}

type Change = { is_subscribed?: boolean; metadata?: MetadataChange };

/** What takes a change back. */
function changeBack({ is_subscribed, metadata }: ListMember, change: Change): Change {
  const known = metadataOf(entriesIn(metadata));
  const values = Object.keys(change.metadata ?? {}).map(key => [key, known[key] ?? null]);
  return {
    ...(change.is_subscribed !== undefined && { is_subscribed }),
    ...(change.metadata && { metadata: Object.fromEntries(values) }),
  };
}

function updated(member: ListMember | undefined, body: Change) {
  if (!member) throw new Error('The member is not loaded yet.');
  const { is_subscribed = member.is_subscribed, metadata = {} } = body;
  return {
    ...member,
    is_subscribed,
    metadata: entriesOf(changed(metadataOf(entriesIn(member.metadata)), metadata)),
  };
}

/** A member with their list, as the members table showed them, if the page was opened from there. */
export function useKnownMember(id: string) {
  const { state } = useLocation();
  const { list = '', member } = isFromList(state) ? state : {};
  const email_list = useCachedData('GET /api/email-lists/{list}', { params: { list } });
  return member?.id === id ? { ...member, email_list } : undefined;
}
