import { pageRoute } from '#web/lib/page-route.ts';
import { patterns } from '#web/lib/paths.ts';

export const invitationPages = [
  pageRoute(patterns.invitation, async () => (await import('./invitation-page.tsx')).InvitationPage),
];
