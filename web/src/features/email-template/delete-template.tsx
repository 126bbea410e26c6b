import { Text } from '@chakra-ui/react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { unlessMissing } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { removeTemplateFromCache } from './template-cache.ts';
import { RESULT_DURATION } from './template-texts.ts';

type Props = {
  template: { id: string; name: string };
  failure: string;
  onDeleted?: () => unknown;
  onClose: () => void;
};

export function DeleteTemplate({ template: { id, name }, failure, onDeleted, onClose }: Props) {
  const call = useOrganizationCall();

  async function remove() {
    await call('DELETE /api/email-templates/{emailTemplate}', { params: { emailTemplate: id } }).catch(
      unlessMissing,
    );
    await onDeleted?.();
    await removeTemplateFromCache(id);
    toast('Template deleted successfully!', 'success', RESULT_DURATION);
  }

  return (
    <ConfirmDialog
      title="Confirm Deletion"
      confirm="Delete"
      loadingText="Deleting..."
      failure={failure}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Are you sure you want to delete this template? This action cannot be undone.</p>
      <Text mt="2" color="fg" fontWeight="medium">
        {name}
      </Text>
    </ConfirmDialog>
  );
}
