import type { EmailAsset } from '../../../../shared/email-asset.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { unlessMissing } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { ASSET_TOAST_DURATION, nameOf } from './asset-texts.ts';
import { removeAssetFromCache } from './use-email-assets.ts';

type Props = {
  asset: Pick<EmailAsset, 'id' | 'name' | 'type'>;
  onDeleted?: () => unknown;
  onClose: () => void;
};

export function DeleteAsset({ asset, onDeleted, onClose }: Props) {
  const call = useOrganizationCall();

  async function remove() {
    await call('DELETE /api/email-assets/{emailAsset}', { params: { emailAsset: asset.id } }).catch(
      unlessMissing,
    );
    await onDeleted?.();
    await removeAssetFromCache(asset.id);
    toast(`${nameOf(asset)} was deleted.`, 'success', ASSET_TOAST_DURATION);
  }

  return (
    <ConfirmDialog
      title={`Delete ${nameOf(asset)}?`}
      confirm="Delete Asset"
      loadingText="Deleting..."
      failure="Failed to delete email asset. Please try again."
      onConfirm={remove}
      onClose={onClose}
    >
      Are you sure you want to delete this email asset? This action cannot be undone.
    </ConfirmDialog>
  );
}
