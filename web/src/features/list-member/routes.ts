import { pageRoute } from '../../lib/page-route.ts';
import { patterns } from '../../lib/paths.ts';

export const listMemberPages = [
  pageRoute(
    patterns.newListMember,
    async () => (await import('./new-list-member-page.tsx')).NewListMemberPage,
  ),
  pageRoute(patterns.listMember, async () => (await import('./list-member-page.tsx')).ListMemberPage),
];
