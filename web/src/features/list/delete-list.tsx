import type { EmailList } from '../../../../shared/list.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { plural } from '../../lib/format.ts';
import { unlessMissing } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { removeListFromCache } from './use-lists.ts';

type Props = { list: EmailList; onDeleted?: () => unknown; onClose: () => void };

/** The list's name has to be typed, as its members are deleted too. */
export function DeleteList({ list: { id, name, members_count }, onDeleted, onClose }: Props) {
  const call = useOrganizationCall();

  async function remove() {
    await call('DELETE /api/email-lists/{list}', { params: { list: id } }).catch(unlessMissing);
    await onDeleted?.();
    await removeListFromCache(id);
    toast(`${name} was deleted.`);
  }

  const consequence =
    members_count === 0
      ? 'The list has no members. Its settings and its sending key are deleted.'
      : `Its ${plural(members_count, 'member')}, with their metadata, its settings and its sending key are deleted.`;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm="Delete list"
      loadingText="Deleting..."
      typed={name}
      failure="Failed to delete list. Please try again"
      onConfirm={remove}
      onClose={onClose}
    >
      {consequence} Nothing more is sent to it. This cannot be undone.
    </ConfirmDialog>
  );
}
