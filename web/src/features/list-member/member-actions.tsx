import { useState } from 'react';
import type { ListMemberRow } from '#shared/list-member.ts';
import type { MEMBER_ACTIONS } from '#shared/members-page.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { invalidateAfter, useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { serverMessageOr, unlessMissing } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';

export type Action = (typeof MEMBER_ACTIONS)[number];
export type Member = Pick<ListMemberRow, 'id' | 'email'>;

export const FAILURES: Record<Action, string> = {
  unsubscribe: 'Failed to update subscription status',
  subscribe: 'Failed to update subscription status',
  delete: 'Failed to delete member',
};

const MOST_NAMED = 3;

export function namesOf(members: readonly Member[]): string {
  const named = members.slice(0, MOST_NAMED).map(({ email }) => email);
  const more = members.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${formatNumber(more)} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}

/** The actions for a member of a table. Each request may be repeated. */
export function useMemberActions() {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [changing, setChanging] = useState<readonly string[]>([]);

  const refresh = () => invalidateAfter('PUT /api/list-members/{listMember}', organization);

  /** Subscribes a member, or unsubscribes them, who may have unsubscribed since the table was loaded. */
  async function change(member: Member, is_subscribed: boolean): Promise<void> {
    setChanging(others => [...others, member.id]);
    try {
      const { was_subscribed } = await call('PUT /api/list-members/{listMember}', {
        params: { listMember: member.id },
        body: { is_subscribed },
      });
      if (is_subscribed) toast(`${member.email} is subscribed again.`);
      else if (!was_subscribed) toast(`${member.email} had unsubscribed already.`);
      else {
        toastUndoable({
          message: `${member.email} was unsubscribed.`,
          undo: () => void change(member, true),
          about: member.id,
          joined: count => `${count} members were unsubscribed.`,
        });
      }
    } catch (problem) {
      toast(serverMessageOr(problem, FAILURES.unsubscribe), 'error');
    }
    await refresh();
    setChanging(others => others.filter(id => id !== member.id));
  }

  return {
    refresh,
    unsubscribe: (member: Member) => change(member, false),
    remove: ({ id }: Member) =>
      call('DELETE /api/list-members/{listMember}', { params: { listMember: id } }).catch(unlessMissing),
    isChanging: ({ id }: Member) => changing.includes(id),
  };
}

type Props = { members: Member[]; from?: string; onDelete: () => unknown; onClose: () => void };

export const DeleteMembers = ({ members, from = 'this list', onDelete, onClose }: Props) => {
  const isOne = members.length === 1;
  return (
    <ConfirmDialog
      title={isOne ? 'Delete this member?' : `Delete ${plural(members.length, 'member')}?`}
      confirm={isOne ? 'Delete member' : `Delete ${plural(members.length, 'member')}`}
      loadingText="Deleting..."
      failure={FAILURES.delete}
      onConfirm={onDelete}
      onClose={onClose}
    >
      {namesOf(members)} {isOne ? 'is' : 'are'} removed from {from}, with all metadata in it. Whether they
      unsubscribed is kept, so that nobody mails them by mistake.
    </ConfirmDialog>
  );
};
