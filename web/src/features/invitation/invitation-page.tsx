import { useParams } from 'react-router';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { usePersonalData } from '../../lib/data.ts';
import { token } from '../../lib/session.ts';
import { AnswerInvitation } from './answer-invitation.tsx';
import { InvitationError, ToDashboard } from './invitation-error.tsx';
import { SignInFirst } from './sign-in-first.tsx';

/** The page that the link of an invitation opens, with or without a session. */
export function InvitationPage() {
  const { token: invitation = '' } = useParams();
  const { data, error, mutate } = usePersonalData(
    'GET /api/invitations/validate/{token}',
    // The page does not change while it is read; answering fails with the reason if the invitation has ended.
    { revalidateOnFocus: false },
    { params: { token: invitation } },
  );

  if (!data && !error) {
    return (
      <Page title="Invitation">
        <Spinner />
      </Page>
    );
  }
  if (!token()) return <SignInFirst token={invitation} check={data} />;
  if (!data) {
    return (
      <Page title="Invitation Error">
        <Failure problem={error} fallback="Failed to load invitation details" onRetry={mutate}>
          <ToDashboard />
        </Failure>
      </Page>
    );
  }
  if (!data.valid || !data.invitation) return <InvitationError check={data} />;
  return <AnswerInvitation token={invitation} invitation={data.invitation} onRefused={mutate} />;
}
