import type { RouteObject } from 'react-router';
import { patterns } from '../../lib/paths.ts';

export const invitationPages: RouteObject[] = [
  {
    path: patterns.invitation,
    lazy: async () => ({ Component: (await import('./invitation-page.tsx')).InvitationPage }),
  },
];
