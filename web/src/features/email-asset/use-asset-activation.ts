import type { EmailAsset } from '../../../../shared/email-asset.ts';
import { useOrganizationCall } from '../../lib/data.ts';
import { oneAtATime } from '../../lib/one-at-a-time.ts';
import { isMissing, serverMessageOr } from '../../lib/problem.ts';
import { dismissToastsAbout, toast, toastUndoable } from '../../lib/toasts.ts';
import { ASSET_TOAST_DURATION, nameOf } from './asset-texts.ts';
import { removeAssetFromCache, updateAssetInCache } from './use-email-assets.ts';

type Named = Pick<EmailAsset, 'id' | 'name' | 'type'>;

const changes = oneAtATime();

/** Activates or deactivates an asset: an optimistic update, rolled back on failure. One request for each at a time. */
export function useAssetActivation() {
  const call = useOrganizationCall();
  const isChanging = changes.useIsChanging();

  async function change(asset: Named, is_active: boolean) {
    const { id } = asset;
    await updateAssetInCache(id, { is_active });
    try {
      await call('PUT /api/email-assets/{emailAsset}', { params: { emailAsset: id }, body: { is_active } });
      toastUndoable({
        message: `${nameOf(asset)} is ${is_active ? 'active' : 'inactive: no automation uses it'}.`,
        undo: () => void activate(asset, !is_active),
        about: id,
      });
    } catch (problem) {
      await updateAssetInCache(id, { is_active: !is_active });
      const message = serverMessageOr(problem, 'Failed to update email asset status. Please try again.');
      toast(message, 'error', ASSET_TOAST_DURATION);
      if (isMissing(problem)) await removeAssetFromCache(id);
    }
  }

  const activate = (asset: Named, is_active: boolean) =>
    changes.run(asset.id, () => {
      dismissToastsAbout(asset.id);
      return change(asset, is_active);
    });

  return { activate, isChanging };
}
