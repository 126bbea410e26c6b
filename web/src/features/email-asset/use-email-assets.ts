import { mutate } from 'swr';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import type { EmailAssetDetail, EmailAssetsPage } from '../../../../shared/email-asset.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { isKeyOf } from '../../lib/cache-key.ts';
import { useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import type { TableView } from '../../lib/table-view.ts';
import { ASSET_MISSING } from './asset-texts.ts';
import { assetsQuery } from './assets-view.ts';

export const ASSET_ROWS = 'GET /api/email-assets';
export const ONE_ASSET = 'GET /api/email-assets/{emailAsset}';

export const useEmailAssets = (view: TableView) =>
  useOrganizationData(ASSET_ROWS, { query: assetsQuery(view) }, { keepPreviousData: true });

export const useAutomationsForAssets = () => useOrganizationData('GET /api/automations-for-assets');

/** The asset of a page. Only the page calls this, so that a missing one is reported once. */
export function useEmailAsset(id: string) {
  const input = { params: { emailAsset: id } };
  const response = useOrganizationData(ONE_ASSET, input);
  useLeaveMissing(paths.emailAssets(), {
    route: ONE_ASSET,
    input,
    response,
    noun: 'email asset',
    missing: ASSET_MISSING,
    failed: 'Failed to fetch email asset. Please try again.',
    back: 'Back to Email Assets',
  });
  return response;
}

/** What of an asset can change. */
type Change = { is_active?: boolean; automations?: AutomationOption[] };

const isRows = (key: unknown) => isKeyOf(key, ASSET_ROWS);
const isDetailOf = (id: string) => (key: unknown) =>
  isKeyOf(key, ONE_ASSET) && key.input?.params.emailAsset === id;

/** Updates an asset in all cached responses. */
export async function updateAssetInCache(id: string, change: Change) {
  const { automations, ...ofAsset } = change;
  const inRows = (page?: EmailAssetsPage) =>
    page && { ...page, data: page.data.map(row => (row.id === id ? { ...row, ...change } : row)) };
  const inDetail = (detail?: EmailAssetDetail) =>
    detail && {
      emailAsset: { ...detail.emailAsset, ...ofAsset },
      automations: automations ?? detail.automations,
    };
  await mutate<EmailAssetsPage>(isRows, inRows, { revalidate: false });
  await mutate<EmailAssetDetail>(isDetailOf(id), inDetail, { revalidate: false });
}

/** The rows of later pages move up, so all are fetched again. */
export async function removeAssetFromCache(id: string) {
  const without = (page?: EmailAssetsPage) =>
    page && { ...page, data: page.data.filter(row => row.id !== id) };
  await mutate<EmailAssetsPage>(isRows, without);
  await mutate(isDetailOf(id), undefined, { revalidate: false });
}
