import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { FirstStepPanel, firstStepLeft } from '../features/home/first-steps.tsx';
import { useInvitations } from '../features/invitation/invitation-banner.tsx';
import { PendingInvitations } from '../features/invitation/pending-invitations.tsx';
import { Profile } from '../features/profile/profile.tsx';
import { ApiTokens } from '../features/token/api-tokens.tsx';
import { useOrganizationData } from '../lib/data.ts';
import { useMay } from '../lib/organization.ts';
import { useElapsed } from '../lib/timers.ts';

const LONGEST_WAIT_MS = 1000;

export function ProfilePage() {
  const { data, error } = useInvitations();
  const steps = useOrganizationData('GET /api/first-steps');
  const may = useMay();
  const next = steps.data && firstStepLeft(steps.data, may);
  const isLate = useElapsed(LONGEST_WAIT_MS);
  // These come first, and would move what is shown below them before they are loaded.
  const isKnown = (data || error) && (steps.data || steps.error);
  if (!isKnown && !isLate) {
    return (
      <Page title="Profile">
        <Loading shape={['title', 'line', 'line', 'title', 160]} />
      </Page>
    );
  }
  return (
    <Profile next={next && <FirstStepPanel {...next} />}>
      <PendingInvitations />
      <ApiTokens />
    </Profile>
  );
}
