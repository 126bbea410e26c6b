import { pageRoute } from '#web/lib/page-route.ts';
import { paths } from '#web/lib/paths.ts';

export const safeguardsPages = [
  pageRoute(paths.safeguards(), async () => (await import('./safeguards-page.tsx')).SafeguardsPage),
];
