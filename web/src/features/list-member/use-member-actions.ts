import { useState } from 'react';
import { invalidateAfter, useOrganizationCall } from '../../lib/data.ts';
import { useOrganization } from '../../lib/organization.ts';
import { serverMessageOr, unlessMissing } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { type Action, FAILURES, type Member } from './member-action.ts';

/** What can be done with a member of a table. Each call may be repeated. */
export function useMemberActions() {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [changing, setChanging] = useState<readonly string[]>([]);

  async function act(action: Action, { id: listMember }: Member): Promise<void> {
    const params = { listMember };
    if (action === 'delete') {
      await call('DELETE /api/list-members/{listMember}', { params }).catch(unlessMissing);
    } else {
      const body = { is_subscribed: action === 'subscribe' };
      await call('PUT /api/list-members/{listMember}', { params, body });
    }
  }

  /** Fetches again what the actions have changed. */
  const refresh = () => invalidateAfter('PUT /api/list-members/{listMember}', organization);

  /** Unsubscribes one member, or subscribes them again by the Undo of the toast. */
  async function change(action: 'unsubscribe' | 'subscribe', member: Member): Promise<void> {
    setChanging(others => [...others, member.id]);
    try {
      await act(action, member);
      if (action === 'subscribe') toast(`${member.email} is subscribed again.`);
      else {
        toastUndoable({
          message: `${member.email} was unsubscribed.`,
          undo: () => void change('subscribe', member),
          about: member.id,
          joined: count => `${count} members were unsubscribed.`,
        });
      }
    } catch (problem) {
      toast(serverMessageOr(problem, FAILURES[action]), 'error');
    }
    await refresh();
    setChanging(others => others.filter(id => id !== member.id));
  }

  return {
    act,
    refresh,
    unsubscribe: (member: Member) => change('unsubscribe', member),
    isChanging: ({ id }: Member) => changing.includes(id),
  };
}
