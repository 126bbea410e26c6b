import { pageRoute } from '../../lib/page-route.ts';
import { paths } from '../../lib/paths.ts';

export const safeguardsPages = [
  pageRoute(paths.safeguards(), async () => (await import('./safeguards-page.tsx')).SafeguardsPage),
];
