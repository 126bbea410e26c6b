import { Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { InvitationCheck } from '../../../../shared/invitation.ts';
import { Button } from '../../components/button.tsx';
import { ActionError, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { revalidate } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { InvitationFacts } from './invitation-facts.tsx';

const REDIRECT_DELAY = 2000;

const ANSWERS = {
  accepted: { route: 'POST /api/invitations/accept/{token}', failure: 'Failed to accept invitation' },
  rejected: { route: 'POST /api/invitations/reject/{token}', failure: 'Failed to reject invitation' },
} as const;

type Answer = keyof typeof ANSWERS;
type Props = {
  token: string;
  invitation: NonNullable<InvitationCheck['invitation']>;
  /** Called after a failed answer: the invitation may have changed. */
  onRefused: () => unknown;
};

export function AnswerInvitation({ token, invitation, onRefused }: Props) {
  const [busy, setBusy] = useState<Answer>();
  const [answered, setAnswered] = useState<Answer>();
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const name = invitation.organization?.name ?? 'the organization';

  useEffect(() => {
    if (!answered) return;
    const timer = setTimeout(() => navigate(paths.home()), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [answered, navigate]);

  async function answer(as: Answer) {
    const { route, failure } = ANSWERS[as];
    setBusy(as);
    setError(undefined);
    try {
      await api(route, { params: { token } });
      setAnswered(as);
      await revalidate('GET /api/organizations', 'GET /api/user/invitations');
    } catch (problem) {
      setError(serverMessageOr(problem, failure));
      onRefused();
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <Page title="Invitation" heading={`Join ${name}`}>
      <InvitationFacts invitation={invitation} />
      {answered ? (
        <Notice tone="success" mt="5" maxWidth="60ch">
          {answered === 'accepted'
            ? `You have joined ${name}. You can switch to it in the sidebar.`
            : `You have rejected the invitation to ${name}.`}{' '}
          Taking you to the dashboard...
        </Notice>
      ) : (
        <Flex gap="2" mt="5">
          <Button
            variant="solid"
            loading={busy === 'accepted'}
            loadingText="Accepting..."
            disabled={busy === 'rejected'}
            onClick={() => answer('accepted')}
          >
            Accept
          </Button>
          <Button
            loading={busy === 'rejected'}
            loadingText="Rejecting..."
            disabled={busy === 'accepted'}
            onClick={() => answer('rejected')}
          >
            Reject
          </Button>
        </Flex>
      )}
      <ActionError>{error}</ActionError>
    </Page>
  );
}
