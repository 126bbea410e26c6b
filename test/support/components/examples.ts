import type { Organization } from '../../../shared/organization.ts';
import type { User } from '../../../shared/user.ts';
import type { Answers } from './api.ts';

export const user: User = { id: 'u1', name: 'Ada', email: 'ada@example.com', terms_accepted: true };

export const organization: Organization = {
  id: 1,
  name: 'Ada’s organization',
  logo: null,
  active: true,
  is_default: true,
  role: 'OWNER',
};

/** What the app asks wherever one is. */
export const signedIn: Answers = {
  'GET /api/user': user,
  'GET /api/organizations': [organization],
  'GET /api/user/invitations': { invitations: [] },
};
