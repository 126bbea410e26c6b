import { pageRoute } from '#web/lib/page-route.ts';
import { patterns } from '#web/lib/paths.ts';

export const listMemberPages = [
  pageRoute(
    patterns.newListMember,
    async () => (await import('./new-list-member-page.tsx')).NewListMemberPage,
  ),
  pageRoute(patterns.listMember, async () => (await import('./list-member-page.tsx')).ListMemberPage),
];
