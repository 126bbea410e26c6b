import { useNavigate } from 'react-router';
import { useOrganizationCall } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { copyOf } from './asset-copy.ts';
import { ASSET_TOAST_DURATION } from './asset-texts.ts';
import { ONE_ASSET } from './use-email-assets.ts';

/** Opens the form of a new asset with the content of this one. */
export function useAssetDuplication() {
  const call = useOrganizationCall();
  const navigate = useNavigate();
  return async (id: string) => {
    try {
      const { emailAsset } = await call(ONE_ASSET, { params: { emailAsset: id } });
      await navigate(paths.newEmailAsset(), { state: copyOf(emailAsset) });
    } catch (problem) {
      const message = serverMessageOr(problem, 'Failed to duplicate email asset. Please try again.');
      toast(message, 'error', ASSET_TOAST_DURATION);
    }
  };
}
