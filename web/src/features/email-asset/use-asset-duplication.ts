import { ASSET_TOAST_DURATION } from '#web/entities/email-asset/email-asset.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { useNavigateFromHere } from '#web/lib/use-navigate-from-here.ts';
import { copyOf } from './asset-copy.ts';

/** Opens the form of a new asset with the content of this one. */
export function useAssetDuplication() {
  const call = useOrganizationCall();
  const { navigate, isLeft } = useNavigateFromHere();
  return async (id: string) => {
    try {
      const { emailAsset } = await call('GET /api/email-assets/{emailAsset}', { params: { emailAsset: id } });
      if (!isLeft()) await navigate(paths.newEmailAsset(), { state: copyOf(emailAsset) });
    } catch (problem) {
      const message = serverMessageOr(problem, 'Failed to duplicate email asset. Please try again.');
      toast(message, 'error', ASSET_TOAST_DURATION);
    }
  };
}
