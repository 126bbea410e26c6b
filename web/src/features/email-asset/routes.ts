import { pageRoute } from '#web/lib/page-route.ts';
import { paths, patterns } from '#web/lib/paths.ts';

export const emailAssetPages = [
  pageRoute(paths.emailAssets(), async () => (await import('./email-assets-page.tsx')).EmailAssetsPage),
  pageRoute(
    paths.newEmailAsset(),
    async () => (await import('./new-email-asset-page.tsx')).NewEmailAssetPage,
  ),
  pageRoute(paths.newAssetSet(), async () => (await import('./new-asset-set-page.tsx')).NewAssetSetPage),
  pageRoute(patterns.emailAsset, async () => (await import('./email-asset-page.tsx')).EmailAssetPage),
];
