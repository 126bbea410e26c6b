import { Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { type InvitationCheck, mismatch } from '#shared/invitation.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Page } from '#web/components/page.tsx';
import { api } from '#web/lib/api.ts';
import { revalidate, usePersonalData } from '#web/lib/data.ts';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { token } from '#web/lib/session.ts';
import { useAction } from '#web/lib/use-action.ts';

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

const REDIRECT_DELAY = 2000;

const ANSWERS = {
  Accept: { route: 'POST /api/invitations/accept/{token}', loadingText: 'Accepting...', variant: 'solid' },
  Reject: { route: 'POST /api/invitations/reject/{token}', loadingText: 'Rejecting...', variant: 'outline' },
} as const;

type Answer = keyof typeof ANSWERS;
const answers: Answer[] = ['Accept', 'Reject'];
type Props = {
  token: string;
  invitation: InvitationDetails;
  /** Called after an answer has failed: the invitation may have changed. */
  onRefused: () => unknown;
};

function AnswerInvitation({ token, invitation, onRefused }: Props) {
  const [given, setGiven] = useState<Answer>();
  const [answered, setAnswered] = useState<Answer>();
  const navigate = useNavigate();
  const name = invitation.organization?.name ?? 'the organization';

  useEffect(() => {
    if (!answered) return;
    const timer = setTimeout(() => navigate(paths.home()), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [answered, navigate]);

  const { run, isRunning, error } = useAction(
    async (as: Answer) => {
      setGiven(as);
      await api(ANSWERS[as].route, { params: { token } });
      setAnswered(as);
      await revalidate('GET /api/organizations', 'GET /api/user/invitations');
    },
    { failure: as => `Failed to ${as.toLowerCase()} invitation` },
  );

  async function answer(as: Answer) {
    if (!(await run(as))) onRefused();
  }

  return (
    <Page title="Invitation" heading={`Join ${name}`}>
      <InvitationFacts invitation={invitation} />
      {answered ? (
        <Notice tone="success" mt="5" maxWidth="60ch">
          {answered === 'Accept'
            ? `You have joined ${name}.`
            : `You have rejected the invitation to ${name}.`}{' '}
          Taking you to the dashboard...
        </Notice>
      ) : (
        <Actions error={error} direction="row-reverse">
          {answers.map(label => (
            <Button
              key={label}
              variant={ANSWERS[label].variant}
              loading={isRunning && given === label}
              loadingText={ANSWERS[label].loadingText}
              disabled={isRunning && given !== label}
              onClick={() => answer(label)}
            >
              {label}
            </Button>
          ))}
        </Actions>
      )}
    </Page>
  );
}

type InvitationDetails = NonNullable<InvitationCheck['invitation']>;

/** The details of an invitation. Without a session, the server leaves out the invited address. */
const InvitationFacts = ({ invitation }: { invitation: InvitationDetails }) => {
  const { organization, invited_by, role, email, expires_at } = invitation;
  return (
    <Facts>
      {organization && <Fact name="Organization">{organization.name}</Fact>}
      {invited_by && <Fact name="Invited by">{invited_by.name}</Fact>}
      {role && <Fact name="Role">{role.toLowerCase()}</Fact>}
      {email && <Fact name="Invited email">{email}</Fact>}
      {expires_at && <Fact name="Expires">{formatDate(expires_at)}</Fact>}
    </Facts>
  );
};
