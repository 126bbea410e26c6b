import { pageRoute } from '../../lib/page-route.ts';
import { patterns } from '../../lib/paths.ts';

export const invitationPages = [
  pageRoute(patterns.invitation, async () => (await import('./invitation-page.tsx')).InvitationPage),
];
