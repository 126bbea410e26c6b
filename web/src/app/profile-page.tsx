import { PendingInvitations } from '../features/invitation/pending-invitations.tsx';
import { Profile } from '../features/profile/profile.tsx';
import { ApiTokens } from '../features/token/api-tokens.tsx';

export const ProfilePage = () => (
  <Profile>
    <PendingInvitations />
    <ApiTokens />
  </Profile>
);
