import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { useInvitations } from '../features/invitation/invitation-banner.tsx';
import { PendingInvitations } from '../features/invitation/pending-invitations.tsx';
import { Profile } from '../features/profile/profile.tsx';
import { ApiTokens } from '../features/token/api-tokens.tsx';
import { useElapsed } from '../lib/timers.ts';

const INVITATIONS_WAIT_MS = 1000;

export function ProfilePage() {
  const { data, error } = useInvitations();
  const isLate = useElapsed(INVITATIONS_WAIT_MS);
  // The pending invitations come first, and would move what is shown below them before they are loaded.
  if (!data && !error && !isLate) {
    return (
      <Page title="Profile">
        <Loading shape={['title', 'line', 'line', 'title', 160]} />
      </Page>
    );
  }
  return (
    <Profile>
      <PendingInvitations />
      <ApiTokens />
    </Profile>
  );
}
