import { pageRoute } from '#web/lib/page-route.ts';
import { paths, patterns } from '#web/lib/paths.ts';

export const listPages = [
  pageRoute(paths.lists(), async () => (await import('./lists-page.tsx')).ListsPage),
  pageRoute(paths.newList(), async () => (await import('./new-list-page.tsx')).NewListPage),
  pageRoute(patterns.editList, async () => (await import('./edit-list-page.tsx')).EditListPage),
];
