import type { EmailAsset } from '../../../../shared/email-asset.ts';
import { useOrganizationCall } from '../../lib/data.ts';
import { isMissing, serverMessageOr } from '../../lib/problem.ts';
import { store } from '../../lib/store.ts';
import { dismissToastsAbout, toast, toastUndoable } from '../../lib/toasts.ts';
import { ASSET_TOAST_DURATION, nameOf } from './asset-texts.ts';
import { useAssetCache } from './use-email-assets.ts';

type Named = Pick<EmailAsset, 'id' | 'name' | 'type'>;

const changing = store<readonly string[]>([]);

/** Activates or deactivates an asset: an optimistic update, rolled back on failure. One request for each at a time. */
export function useAssetActivation() {
  const call = useOrganizationCall();
  const cache = useAssetCache();
  const busy = changing.use();

  async function change(asset: Named, is_active: boolean) {
    const { id } = asset;
    await cache.update(id, { is_active });
    try {
      await call('PUT /api/email-assets/{emailAsset}', { params: { emailAsset: id }, body: { is_active } });
      toastUndoable({
        message: `${nameOf(asset)} is ${is_active ? 'active' : 'inactive: no automation uses it'}.`,
        undo: () => void activate(asset, !is_active),
        about: id,
      });
    } catch (problem) {
      await cache.update(id, { is_active: !is_active });
      const message = serverMessageOr(problem, 'Failed to update email asset status. Please try again.');
      toast(message, 'error', ASSET_TOAST_DURATION);
      if (isMissing(problem)) await cache.remove(id);
    }
  }

  async function activate(asset: Named, is_active: boolean) {
    if (changing.get().includes(asset.id)) return;
    dismissToastsAbout(asset.id);
    changing.set([...changing.get(), asset.id]);
    await change(asset, is_active).finally(() =>
      changing.set(changing.get().filter(other => other !== asset.id)),
    );
  }

  return { activate, isChanging: (id: string) => busy.includes(id) };
}
