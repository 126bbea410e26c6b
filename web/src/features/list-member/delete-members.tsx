import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { plural } from '#web/lib/format.ts';
import { FAILURES, type Member, namesOf } from './member-action.ts';

type Props = { members: Member[]; from?: string; onDelete: () => unknown; onClose: () => void };

/** Asks before members are deleted. */
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
