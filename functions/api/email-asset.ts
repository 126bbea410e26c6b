import * as emailAssets from '#core/content/email-asset.ts';
import * as emailAssetSets from '#core/content/email-asset-set.ts';
import { emailAssetRoutes } from '#shared/email-asset.ts';
import { emailAssetSetRoutes } from '#shared/email-asset-set.ts';
import { emailAsset } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  { ...emailAssetRoutes, ...emailAssetSetRoutes },
  {
    'GET /api/email-assets': ({ active, query }) =>
      emailAssets.page({ table }, active.organization.id, query),
    'POST /api/email-assets': ({ active, body, now }) =>
      emailAssets.create({ table, now }, active.organization.id, body),
    'POST /api/email-assets-check': ({ active, body }) =>
      emailAssets.check({ table }, active.organization.id, body),
    'GET /api/email-assets/{emailAsset}': ({ emailAsset }) => emailAssets.detail({ table }, emailAsset),
    'PUT /api/email-assets/{emailAsset}': ({ emailAsset, body, now }) =>
      emailAssets.change({ table, now }, emailAsset, body),
    'DELETE /api/email-assets/{emailAsset}': ({ emailAsset, now }) =>
      emailAssets.remove({ table, now }, emailAsset),
    'POST /api/email-asset-sets': ({ active, body, now }) =>
      emailAssetSets.create({ table, now }, active.organization.id, body),
  },
  { emailAsset },
);
