import type { RouteObject } from 'react-router';
import { patterns } from '../../lib/paths.ts';
import { token } from '../../lib/session.ts';

export const invitationPages: RouteObject[] = [
  {
    path: patterns.invitation,
    lazy: async () => {
      const { InvitationPage } = await import('./invitation-page.tsx');
      return { element: <InvitationPage signedIn={token() !== null} /> };
    },
  },
];
