import type { RouteObject } from 'react-router';
import { paths, patterns } from '../../lib/paths.ts';

export const emailAssetPages: RouteObject[] = [
  {
    path: paths.emailAssets(),
    lazy: async () => ({ Component: (await import('./email-assets-page.tsx')).EmailAssetsPage }),
  },
  {
    path: paths.newEmailAsset(),
    lazy: async () => ({ Component: (await import('./new-email-asset-page.tsx')).NewEmailAssetPage }),
  },
  {
    path: patterns.emailAsset,
    lazy: async () => ({ Component: (await import('./email-asset-page.tsx')).EmailAssetPage }),
  },
];
