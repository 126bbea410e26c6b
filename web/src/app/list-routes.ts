import type { RouteObject } from 'react-router';
import { paths, patterns } from '../lib/paths.ts';

/** The pages of email lists and their members. */
export const listRoutes: RouteObject[] = [
  {
    path: paths.lists(),
    lazy: async () => ({ Component: (await import('../features/list/lists-page.tsx')).ListsPage }),
  },
  {
    path: paths.newList(),
    lazy: async () => ({ Component: (await import('../features/list/new-list-page.tsx')).NewListPage }),
  },
  {
    path: patterns.list,
    lazy: async () => ({ Component: (await import('./list-page.tsx')).ListPage }),
  },
  {
    path: patterns.editList,
    lazy: async () => ({ Component: (await import('../features/list/edit-list-page.tsx')).EditListPage }),
  },
  {
    path: patterns.newListMember,
    lazy: async () => ({
      Component: (await import('../features/list-member/new-list-member-page.tsx')).NewListMemberPage,
    }),
  },
  {
    path: patterns.listMember,
    lazy: async () => ({
      Component: (await import('../features/list-member/list-member-page.tsx')).ListMemberPage,
    }),
  },
];
