import type { RouteObject } from 'react-router';
import { paths, patterns } from '../../lib/paths.ts';

export const listPages: RouteObject[] = [
  {
    path: paths.lists(),
    lazy: async () => ({ Component: (await import('./lists-page.tsx')).ListsPage }),
  },
  {
    path: paths.newList(),
    lazy: async () => ({ Component: (await import('./new-list-page.tsx')).NewListPage }),
  },
  {
    path: patterns.editList,
    lazy: async () => ({ Component: (await import('./edit-list-page.tsx')).EditListPage }),
  },
];
