import type { RouteObject } from 'react-router';
import { patterns } from '../../lib/paths.ts';

export const listMemberPages: RouteObject[] = [
  {
    path: patterns.newListMember,
    lazy: async () => ({ Component: (await import('./new-list-member-page.tsx')).NewListMemberPage }),
  },
  {
    path: patterns.listMember,
    lazy: async () => ({ Component: (await import('./list-member-page.tsx')).ListMemberPage }),
  },
];
