import { useState } from 'react';
import { invalidateAfter, useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { serverMessageOr, unlessMissing } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { type Action, FAILURES, type Member } from './member-action.ts';

/** The actions for a member of a table. Each request may be repeated. */
export function useMemberActions() {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [changing, setChanging] = useState<readonly string[]>([]);

  /** Returns whether this request has changed the member, who may have unsubscribed since the table was loaded. */
  async function act(action: Action, { id: listMember }: Pick<Member, 'id'>): Promise<boolean> {
    const params = { listMember };
    if (action === 'delete') {
      await call('DELETE /api/list-members/{listMember}', { params }).catch(unlessMissing);
      return true;
    }
    const body = { is_subscribed: action === 'subscribe' };
    const answer = await call('PUT /api/list-members/{listMember}', { params, body });
    return answer.was_subscribed !== body.is_subscribed;
  }

  /** Revalidates what the actions have changed. */
  const refresh = () => invalidateAfter('PUT /api/list-members/{listMember}', organization);

  /** Unsubscribes a member, or subscribes them again by the Undo of the toast. */
  async function change(action: 'unsubscribe' | 'subscribe', member: Member): Promise<void> {
    setChanging(others => [...others, member.id]);
    try {
      const isChanged = await act(action, member);
      if (action === 'unsubscribe' && !isChanged) toast(`${member.email} had unsubscribed already.`);
      else if (action === 'subscribe') toast(`${member.email} is subscribed again.`);
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
