import { Text } from '@chakra-ui/react';
import { useParams } from 'react-router';
import { type InvitationCheck, mismatch } from '#shared/invitation.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { usePersonalData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { token } from '#web/lib/session.ts';
import { AnswerInvitation } from './answer-invitation.tsx';
import { InvitationFacts } from './invitation-facts.tsx';

/** The page that the link of an invitation opens, with or without a session. */
export function InvitationPage() {
  const { token: invitation = '' } = useParams();
  const { data, error, mutate } = usePersonalData(
    'GET /api/invitations/validate/{token}',
    { params: { token: invitation } },
    // The page does not change while it is read. If the invitation has ended meanwhile, answering it fails with the reason.
    { revalidateOnFocus: false },
  );

  if (!data && !error) {
    return (
      <Page title="Invitation">
        <Loading shape={['line', 'line', 'line', 'line', 'line']} />
      </Page>
    );
  }
  if (!token()) return <SignInFirst token={invitation} check={data} />;
  if (!data) {
    return (
      <Page title="Invitation Error">
        <Failure problem={error} fallback="Failed to load invitation details" onRetry={mutate}>
          <ToHome />
        </Failure>
      </Page>
    );
  }
  if (!data.valid || !data.invitation) return <InvitationError check={data} />;
  return <AnswerInvitation token={invitation} invitation={data.invitation} onRefused={mutate} />;
}

/** Shown without a session: only the invited user can answer. */
function SignInFirst({ token, check }: { token: string; check: InvitationCheck | undefined }) {
  const invitation = check?.valid ? check.invitation : undefined;
  return (
    <Page title="Invitation" heading={invitation ? 'You have been invited' : 'Invitation'}>
      {invitation && <InvitationFacts invitation={invitation} />}
      <Text my="4" maxWidth="60ch">
        Please sign in with the invited email address to view and answer this invitation.
      </Text>
      {/* /login is a separate HTML document. */}
      <ButtonLink variant="solid" to={paths.login(paths.invitation(token))} reloadDocument>
        Sign in
      </ButtonLink>
    </Page>
  );
}

/** Why an invitation cannot be answered. */
function InvitationError({ check }: { check: InvitationCheck }) {
  return (
    <Page title="Invitation Error">
      <Text mb="4" maxWidth="60ch" overflowWrap="anywhere">
        {reason(check)}
      </Text>
      {check.email_mismatch && (
        <Text mb="4" mt="-2" color="fg.muted" fontSize="sm">
          To answer it, log out and sign in with the invited address.
        </Text>
      )}
      <ToHome />
    </Page>
  );
}

const ToHome = () => <ButtonLink to={paths.home()}>Go to Home</ButtonLink>;

function reason({ message, email_mismatch, invitation_email, user_email }: InvitationCheck): string {
  if (email_mismatch && invitation_email && user_email) return mismatch(invitation_email, user_email);
  return message ?? 'Failed to load invitation details';
}
