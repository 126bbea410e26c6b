import { useOrganizationData } from '../../lib/data.ts';
import type { TableView } from '../../lib/table-view.ts';
import { assetsQuery } from './assets-view.ts';

export const useEmailAssets = (view: TableView) =>
  useOrganizationData('GET /api/email-assets', { query: assetsQuery(view) }, { keepPreviousData: true });
