import { pageRoute } from '../../lib/page-route.ts';
import { patterns } from '../../lib/paths.ts';

export const memberImportPages = [
  pageRoute(patterns.importMembers, async () => (await import('./import-page.tsx')).ImportPage),
];
