import { usePersonalData } from '../../lib/data.ts';

const REFRESH = 5 * 60_000;

/** The pending invitations of the signed-in user. */
export const useInvitations = (signedIn = true) =>
  usePersonalData(signedIn ? 'GET /api/user/invitations' : undefined, { refreshInterval: REFRESH });
