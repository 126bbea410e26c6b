import { pageRoute } from '#web/lib/page-route.ts';
import { patterns } from '#web/lib/paths.ts';

export const memberImportPages = [
  pageRoute(patterns.importMembers, async () => (await import('./import-page.tsx')).ImportPage),
];
