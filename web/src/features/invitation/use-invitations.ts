import { usePersonalData } from '#web/lib/data.ts';
import { token } from '#web/lib/session.ts';

const REFRESH = 5 * 60_000;

/** The pending invitations of the signed-in user; none without one. */
export const useInvitations = () =>
  usePersonalData(token() ? 'GET /api/user/invitations' : undefined, undefined, { refreshInterval: REFRESH });
